import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { addEmpty, addNotes, addPanel, drawLaneChart, drawTable, type LaneEvents } from '../kit/index.ts';
import { eventAt, focusChart } from './chart.ts';
import type { FocusAndInputModel } from './model.ts';
import type { params } from './params.ts';
import { eventsOf, eventTable, isFocus, type EventRow } from './tables.ts';
import { inputWords, processWords, summary } from './words.ts';

type Context = ViewContext<typeof params>;

/** Draws the view into a window. Returns what undoes it. */
export function drawFocusAndInput(
  container: HTMLElement,
  model: FocusAndInputModel,
  context: Context,
): () => void {
  addNotes(container, model.notes);
  const events = eventsOf(model);
  if (events.length === 0) {
    addEmpty(container, 'No focus and no input here', summary(model));
    return () => container.replaceChildren();
  }
  const lanes = drawLanes(container, model, context);
  const panel = addPanel(container, 'Events', 'choose one to mark its time in all views');
  const endTable = drawTable(panel, eventTable(model), {
    origin_ns: model.origin_ns,
    context,
    name: 'focus-and-input/events',
    chosen: ({ span }) => events.findIndex(({ ts }) => ts === span?.start),
    onChoose: (row) => {
      const event = events[row];
      if (event !== undefined) choose(event, context);
    },
  });
  return () => {
    lanes();
    endTable();
    container.replaceChildren();
  };
}

function choose(event: EventRow, context: Context): void {
  const span = { start: event.ts, end: isFocus(event) ? event.ts + event.dur : event.ts };
  context.select({ span, thread: null, pid: isFocus(event) ? event.pid : null });
}

function drawLanes(container: HTMLElement, model: FocusAndInputModel, context: Context): () => void {
  const panel = {
    title: 'Focus and input over time',
    aside: summary(model),
    label: 'Which process had the focus, keys and mouse over time. The table below holds the events.',
  };
  const events: LaneEvents<EventRow> = {
    at: (lane, point) => eventAt(model, lane, point),
    lines: (event) => eventLines(event, model.origin_ns),
    choose: (event) => choose(event, context),
    mark: (event) => ({
      ts: event.ts,
      label: isFocus(event) ? `focus: ${processWords(event)}` : inputWords(event),
    }),
  };
  return drawLaneChart(container, panel, focusChart(model), events, context);
}

function eventLines(event: EventRow, origin_ns: number): readonly string[] {
  const at = formatTime(event.ts, origin_ns);
  if (isFocus(event)) {
    const since = event.open_start ? 'since before the trace' : `from ${at}`;
    const length = `${event.open_start || event.open_end ? 'at least ' : ''}${formatDuration(event.dur)}`;
    return [processWords(event), `had the focus ${since}, for ${length}`];
  }
  return [`${inputWords(event)} at ${at}`, event.focus === null ? 'no focus known' : `focus: ${event.focus}`];
}
