import type { ViewTable } from '../../shared/view/index.ts';
import { bucketColumn, bucketTable, column, columns, makeTable, type Column } from '../kit/index.ts';
import { fieldsText } from './fields.ts';
import type { EventsModel, GenericEvent } from './model.ts';
import { treeRows, type TreeRow } from './tree.ts';

const LEVELS = ['–', 'critical', 'error', 'warning', 'information', 'verbose'] as const;

const WHEN: readonly Column<GenericEvent>[] = [
  column('ts', 'Time', 'time_ns', 'When it was written, from the trace’s start.'),
];

const KIND: readonly Column<GenericEvent>[] = [
  column('provider', 'Provider', 'text', 'Who wrote it.'),
  column('event', 'Event', 'text', 'What it is called: its name, or its task and opcode.'),
];

const WHERE: readonly Column<GenericEvent>[] = [
  { ...columns.process, help: 'The process that wrote it. –: none is known.' },
  column('tid', 'Thread', 'text', 'The thread that wrote it. –: none is known.'),
  column('cpu', 'CPU', 'text', 'The CPU that it was written on. –: not recorded.'),
  column(
    'level',
    'Level',
    'text',
    'How much it matters, by its provider.',
    ({ level }) => LEVELS[level] ?? level,
  ),
];

/** A field's column, by the ending of its name a time or a duration. */
function fieldColumn(name: string): Column<GenericEvent> {
  const kind = name.endsWith('_ts') ? 'time_ns' : name.endsWith('_ns') ? 'duration_ns' : 'text';
  return column(name, name, kind, `The field ${name} of the event.`, ({ fields }) => fields[name] ?? null);
}

/** The events. Those of one kind have a column for each field. */
export function eventTable({ events, fields, provider, event }: EventsModel): ViewTable {
  if (provider !== null && event !== null) {
    return makeTable(`${provider}/${event}`, [...WHEN, ...fields.map(fieldColumn), ...WHERE], events);
  }
  const all = column<GenericEvent>('fields', 'Fields', 'text', 'The data of the event.', ({ fields }) =>
    fieldsText(fields),
  );
  return makeTable('Events', [...WHEN, ...KIND, all, ...WHERE], events);
}

/** Providers and kinds of events. */
export function kindTable(model: EventsModel): ViewTable {
  const columns: readonly Column<TreeRow>[] = [
    column('provider', 'Provider', 'text', 'Who wrote them.', ({ provider, event }) =>
      event === null ? provider : `    ${provider}`,
    ),
    column(
      'event',
      'Event',
      'text',
      'The kind of event; of a provider, how many kinds.',
      ({ event, kinds }) => event ?? (kinds === 1 ? '1 kind' : `${kinds} kinds`),
    ),
    column('count', 'Events', 'count', 'How many pass the filters, in the range in view.'),
  ];
  return makeTable('Providers and events', columns, treeRows(model));
}

/** One row a bucket of time. */
function countTable({ edges, counts, lines }: EventsModel): ViewTable {
  return bucketTable('Events over time', edges, [
    bucketColumn('count', 'Events', 'count', 'Events in it.', counts),
    ...lines.map((line, index) =>
      bucketColumn(`line_${index}`, line.label, 'count', 'Events of this kind in it.', line.counts),
    ),
  ]);
}

/** Everything the view draws. */
export function eventsTables(model: EventsModel): readonly ViewTable[] {
  return [kindTable(model), eventTable(model), countTable(model)];
}
