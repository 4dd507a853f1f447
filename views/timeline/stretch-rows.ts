import type { Query } from '../../shared/engine/index.ts';
import { dataOf, numberAt, textAt, type TableName, type Values } from '../../shared/tables/index.ts';
import { WAIT_COLUMNS, waitAt as waitOfRow, type Wait } from '../../shared/why-late/columns/index.ts';

/** A ready wait as its row tells it. */
export interface FoundWait extends Wait {
  readonly cause: string | null;
  readonly waker_utid: number | null;
  readonly waker_in_dpc: boolean;
}

const COLUMNS = [...WAIT_COLUMNS, 'cause', 'waker_utid', 'waker_in_dpc'] as const;

/** The ready wait of a thread that begins at a time; null where there is none. */
export function waitAt(query: Query, utid: number, ts: number): Promise<FoundWait | null> {
  return rowAt(query, 'etw_ready_wait', COLUMNS, utid, ts, (columns, row) => ({
    ...waitOfRow({ columns }, row),
    cause: textAt(columns.cause, row),
    waker_utid: numberAt(columns.waker_utid, row),
    waker_in_dpc: columns.waker_in_dpc.values[row] === 1,
  }));
}

const RUN_COLUMNS = [
  ...(['ts', 'utid', 'priority', 'rank', 'switch_out_state', 'switch_out_wait_reason'] as const),
] as const;

/** What was recorded of the run of a thread that begins at a time; null where there is none. */
export function runAt(query: Query, utid: number, ts: number) {
  return rowAt(query, 'etw_run', RUN_COLUMNS, utid, ts, (columns, row) => ({
    priority: numberAt(columns.priority, row),
    rank: numberAt(columns.rank, row),
    state: textAt(columns.switch_out_state, row),
    reason: textAt(columns.switch_out_wait_reason, row),
  }));
}

/** The row of a thread that begins at a time; null where there is none. */
async function rowAt<C extends string, R>(
  query: Query,
  table: TableName,
  columns: readonly C[],
  utid: number,
  ts: number,
  read: (columns: Readonly<Record<C | 'ts' | 'utid', Values>>, row: number) => R,
): Promise<R | null> {
  const wanted = columns as readonly (C | 'ts' | 'utid')[];
  for await (const batch of dataOf(query).tables.batches(table, wanted, { start: ts, end: ts + 1 })) {
    const [begins, threads] = [batch.columns.ts.values, batch.columns.utid.values];
    for (let row = 0; row < batch.rowCount; row++)
      if (begins[row] === ts && threads[row] === utid) return read(batch.columns, row);
  }
  return null;
}
