import {
  dataOf,
  textAt,
  TABLE_NAMES,
  type TableName,
  type Tables,
  type TraceData,
  type Values,
} from '../tables/index.ts';
import type { Query } from '../engine/index.ts';
import { hasEvents, type EventCount } from './by-events.ts';
import type { Evidence } from './signal.ts';
import { readEventCounts } from './event-counts.ts';
import { signalOf, type SignalId } from './signals.ts';

/** How signals are seen in columns that counts of events do not tell; null where SQL has to. */
const SEEN: Partial<Record<SignalId, (data: TraceData) => Promise<boolean> | null>> = {
  switches: ({ tables }) => hasRows(tables, 'etw_run'),
  async switch_states({ tables }) {
    const counts = await readEventCounts(tables);
    const areCompact = counts.some((count) => count.event === 'CompactCSwitch' && isConverted(count));
    return !areCompact && hasRows(tables, 'etw_run');
  },
  processes: ({ tables }) => hasRow(tables, 'etw_process', 'pid', ({ values }, row) => values[row] !== 0),
  ranks: ({ tables }) => hasRow(tables, 'etw_run', 'rank', ({ present }, row) => present?.[row] !== 0),
  ready_threads: ({ tables }) => hasText(tables, 'etw_ready_wait', 'cause', 'wake'),
  sample_intervals: ({ tables }) =>
    hasRow(tables, 'etw_sample', 'weight_ns', ({ present }, row) => present?.[row] !== 0),
  switch_stacks: ({ tables }) => hasText(tables, 'etw_event_stack', 'kind', 'context_switch'),
  ready_stacks: ({ tables }) => hasText(tables, 'etw_event_stack', 'kind', 'ready_thread'),
  symbols: ({ mayHaveSymbols }) => (mayHaveSymbols ? null : Promise.resolve(false)),
  kernel_functions: ({ mayHaveSymbols }) => (mayHaveSymbols ? null : Promise.resolve(false)),
};

/** Whether a trace with columns has a signal; null for one that SQL tells, as of any trace without columns. */
export function seenInColumns(query: Query, id: SignalId): Promise<boolean> | null {
  const data = dataOf(query);
  if (!data.hasColumns) return null;
  const { events, evidence } = signalOf(id);
  const seen = rowsInColumns(query, evidence);
  if (seen !== null) return seen;
  return SEEN[id]?.(data) ?? (events === null ? null : areHeld(data, id));
}

/** Whether a trace with columns has rows of a table; null where SQL has to tell. */
export function rowsInColumns(query: Query, { table, where }: Evidence): Promise<boolean> | null {
  const data = dataOf(query);
  const known = where === undefined ? TABLE_NAMES.find((name) => name === table) : undefined;
  return data.hasColumns && known !== undefined ? hasRows(data.tables, known) : null;
}

/** Whether events were converted that tell a signal. */
async function areHeld({ tables }: TraceData, id: SignalId): Promise<boolean> {
  const counts = await readEventCounts(tables);
  return hasEvents(signalOf(id), counts.filter(isConverted)) === true;
}

function isConverted({ fate }: EventCount): boolean {
  return fate !== 'skipped';
}

async function hasRows(tables: Tables, table: TableName): Promise<boolean> {
  return (await tables.rowCount(table)) > 0;
}

function hasText(tables: Tables, table: TableName, column: string, text: string): Promise<boolean> {
  return hasRow(tables, table, column, (values, row) => textAt(values, row) === text);
}

async function hasRow(
  tables: Tables,
  table: TableName,
  column: string,
  passes: (values: Values, row: number) => boolean,
): Promise<boolean> {
  for await (const { rowCount, columns } of tables.batches(table, [column])) {
    const values = columns[column];
    if (values === undefined) continue;
    for (let row = 0; row < rowCount; row++) if (passes(values, row)) return true;
  }
  return false;
}
