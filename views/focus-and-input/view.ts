import { formatDuration, formatTime } from '../../shared/model/index.ts';
import { processLabel } from '../../shared/threads/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { empty, lanes, pageView, panel, table, type Page, rowChoice } from '../kit/index.ts';
import { eventAt, focusChart } from './chart.ts';
import { loadFocusAndInput } from './load.ts';
import type { FocusAndInputModel } from './model.ts';
import { params, recording } from './params.ts';
import { eventsOf, eventTable, focusAndInputTables, isFocus, type EventRow } from './tables.ts';
import { inputWords, summary } from './words.ts';
import sql from './query.sql';

/** Which process had the focus, and what did the user do? */
export const focusAndInput = pageView({
  id: 'focus-and-input',
  title: 'Focus and input',
  question: 'Which process had the focus, and what did the user do?',
  sql,
  params,
  modules: ['etw.focus'],
  recording,
  load: loadFocusAndInput,
  tables: focusAndInputTables,
  page,
});

function page(model: FocusAndInputModel, context: ViewContext<typeof params>): Page {
  const events = eventsOf(model);
  if (events.length === 0) return [empty('No focus and no input here', summary(model))];
  const choose = (event: EventRow) => {
    const span = { start: event.ts, end: isFocus(event) ? event.ts + event.dur : event.ts };
    context.select({ span, thread: null, pid: isFocus(event) ? event.pid : null });
  };
  return [
    panel('Focus and input over time', summary(model), [
      lanes({
        label: 'Which process had the focus, keys and mouse over time. The table below holds the events.',
        chart: focusChart(model),
        at(lane, point) {
          const event = eventAt(model, lane, point);
          return (
            event && {
              lines: eventLines(event, model.origin_ns),
              choose: () => choose(event),
              mark: { ts: event.ts, label: nameOf(event) },
            }
          );
        },
      }),
    ]),
    panel('Events', 'choose one to mark its time in all views', [
      table(eventTable(model), {
        chosen: ({ span }) => events.findIndex(({ ts }) => ts === span?.start),
        choose: rowChoice(events, choose),
      }),
    ]),
  ];
}

function nameOf(event: EventRow): string {
  return isFocus(event) ? `focus: ${processLabel(event)}` : inputWords(event);
}

function eventLines(event: EventRow, origin_ns: number): readonly string[] {
  const at = formatTime(event.ts, origin_ns);
  if (isFocus(event)) {
    const since = event.open_start ? 'since before the trace' : `from ${at}`;
    const length = `${event.open_start || event.open_end ? 'at least ' : ''}${formatDuration(event.dur)}`;
    return [processLabel(event), `had the focus ${since}, for ${length}`];
  }
  return [`${inputWords(event)} at ${at}`, event.focus === null ? 'no focus known' : `focus: ${event.focus}`];
}
