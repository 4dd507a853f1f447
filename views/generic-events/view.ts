import { formatCount, formatDuration, formatShown, formatTime } from '../../shared/model/index.ts';
import type { ViewContext, Selection } from '../../shared/view/index.ts';
import {
  buttons,
  choiceOf,
  chosen,
  empty,
  fitted,
  own,
  pageView,
  panel,
  remarks,
  row,
  stepPicture,
  stillLines,
  table,
  type Block,
  type Page,
  rowChoice,
} from '../kit/index.ts';
import { countLines, countsChart } from './chart.ts';
import { fieldsText } from './fields.ts';
import { loadEvents } from './load.ts';
import { addMarkButton } from './mark-lines.ts';
import type { EventsModel, GenericEvent } from './model.ts';
import { params, recording } from './params.ts';
import { eventsTables, eventTable, kindTable } from './tables.ts';
import { treeRows } from './tree.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

const TABLE_PX = 280;
/** Entries of the legend that a window has room for. */
const LEGEND_ENTRIES = 5;
/** Events that a still writes out, and letters of a line. */
const STILL_EVENTS = 20;
const LINE_LETTERS = 170;

/** What did providers write, with which data? */
export const genericEvents = pageView({
  id: 'generic-events',
  title: 'Generic events',
  question: 'What did providers write, with which data?',
  sql,
  params,
  modules: ['etw.process'],
  recording,
  load: loadEvents,
  tables: eventsTables,
  page,
});

function page(model: EventsModel, context: Context): Page {
  const none = empty('No such events here', 'None in this range passes the filters.');
  return [
    row(TABLE_PX, 1, [treePanel(model, context), countsPanel(model)]),
    model.events.length === 0 ? none : listPanel(model, context),
  ];
}

function treePanel(model: EventsModel, context: Context): Block {
  const { provider, event } = model;
  const rows = treeRows(model);
  const isChosen = (each: (typeof rows)[number]) => each.provider === provider && each.event === event;
  return panel('Providers and events', provider === null ? 'click: only these' : 'click again: all', [
    table(kindTable(model), {
      follows: false,
      chosen: rows.findIndex(isChosen),
      choose: rowChoice(rows, (kind) => {
        if (isChosen(kind) && event !== null) context.setParams({ event: null });
        else if (isChosen(kind)) context.setParams({ provider: null, event: null });
        else context.setParams({ provider: kind.provider, event: kind.event });
      }),
    }),
  ]);
}

function countsPanel(model: EventsModel): Block {
  const { count, edges } = model;
  const [, second = 0, third = second] = edges;
  const step = third > second ? `, counted in steps of ${formatDuration(third - second)}` : '';
  return panel('Events over time', `${formatCount(count)} in this range${step}`, [
    stepPicture(countsChart(model), {
      label: 'Events over time. The table below holds them; the key T shows the counts.',
      height_px: 236,
      still_px: 300,
      margins: { right: 16 },
      legend_entries: LEGEND_ENTRIES,
      lines: (bucket, span) => countLines(model, bucket, span),
    }),
  ]);
}

function listPanel(model: EventsModel, context: Context): Block {
  const { events, count, origin_ns } = model;
  const which = formatShown(events.length, count, 'the first ');
  const shown = eventTable(model);
  return panel(shown.title, `${which}; click: choose, M: mark`, [
    own((parent) => addMarkButton(parent, model, context)),
    chosen((selection) => {
      const event = events[chosenEvent(model, selection)];
      const words = event === undefined ? '' : headerWords(event);
      if (event === undefined || words === '') return [];
      return [
        remarks([words]),
        buttons(
          activitiesOf(event)
            .filter(([, id]) => id !== context.params.search)
            .map(([name, id]) => ({
              label: `Events of its ${name}`,
              press: () => context.setParams({ search: id, provider: null, event: null }),
            })),
        ),
      ];
    }),
    table(shown, {
      chosen: (selection) => chosenEvent(model, selection),
      choose: rowChoice(events, (event) => context.select(choiceOf({ ...event, dur: 0 }))),
    }),
    stillLines(
      events.slice(0, STILL_EVENTS).map(({ ts, provider, event, fields }) => {
        const line = `${formatTime(ts, origin_ns)}  ${provider}/${event}: ${fieldsText(fields)}`;
        return { text: fitted(line, LINE_LETTERS), size: 11 };
      }),
    ),
  ]);
}

/** The ids of activities in a header, by which events are looked for. */
const ACTIVITIES = new Set(['ActivityId', 'RelatedActivityId']);

/** The listed event that is chosen; -1 if none is. */
function chosenEvent({ events }: EventsModel, { span }: Selection): number {
  return events.findIndex(({ ts }) => ts === span?.start && ts === span.end);
}

/** The header of an event in words; empty where it has none. */
function headerWords({ header }: GenericEvent): string {
  return Object.entries(header)
    .map(([name, value]) => `${name} ${value ?? ''}`)
    .join(', ');
}

/** The activities that the header of an event names. */
function activitiesOf({ header }: GenericEvent): readonly (readonly [name: string, id: string])[] {
  return Object.entries(header).flatMap(([name, value]) =>
    ACTIVITIES.has(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
}
