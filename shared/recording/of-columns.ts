import { dataOf, type Tables, type TraceData, type Values } from '../tables/index.ts';
import type { Query } from '../engine/index.ts';
import compactSql from './compact.sql';
import type { SignalId } from './signals.ts';

/** How signals of scheduling are seen in columns; all others are seen by SQL. */
const SEEN: Partial<Record<SignalId, (data: TraceData) => Promise<boolean>>> = {
  switches: ({ tables }) => hasRow(tables, 'etw_run', 'utid', () => true),
  async switch_states({ outline, tables }) {
    const [row] = (await outline(compactSql)).rows();
    return row?.compact === 0 && hasRow(tables, 'etw_run', 'utid', () => true);
  },
  ranks: ({ tables }) => hasRow(tables, 'etw_run', 'rank', ({ present }, row) => present?.[row] !== 0),
  ready_waits: ({ tables }) => hasRow(tables, 'etw_ready_wait', 'utid', () => true),
  ready_threads: ({ tables }) =>
    hasRow(
      tables,
      'etw_ready_wait',
      'cause',
      ({ texts, values }, row) => texts?.[values[row] ?? -1] === 'wake',
    ),
  interrupts: ({ tables }) => hasRow(tables, 'etw_interrupt', 'cpu', () => true),
};

/** Whether a trace with columns has a signal; null for one that SQL tells, as of any trace without columns. */
export function seenInColumns(query: Query, id: SignalId): Promise<boolean> | null {
  const data = dataOf(query);
  return data.hasColumns ? (SEEN[id]?.(data) ?? null) : null;
}

async function hasRow(
  tables: Tables,
  table: 'etw_run' | 'etw_ready_wait' | 'etw_interrupt',
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
