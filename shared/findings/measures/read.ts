import { readInto, Rows } from '../../causes/index.ts';
import type { Query } from '../../engine/index.ts';
import { dataOf } from '../../tables/index.ts';
import type { TimeRange } from '../../view/index.ts';

const RUN_COLUMNS = ['ts', 'te', 'cpu', 'utid', 'rank', 'priority'] as const;
const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'waker_utid', 'rank', 'priority', 'ended'] as const;

/** The runs and ready waits of a recording. */
export interface Measured {
  readonly query: Query;
  readonly whole: TimeRange;
  readonly runs: Rows<(typeof RUN_COLUMNS)[number]>;
  readonly waits: Rows<(typeof WAIT_COLUMNS)[number]>;
}

/** Reads what all measures count. */
export async function readMeasured(query: Query, whole: TimeRange): Promise<Measured> {
  const { tables } = dataOf(query);
  const [runs, waits] = [new Rows(RUN_COLUMNS), new Rows(WAIT_COLUMNS)];
  await readInto(runs, tables, 'etw_run', RUN_COLUMNS, whole, ({ te }, row) => te.values[row] ?? 0);
  await readInto(waits, tables, 'etw_ready_wait', WAIT_COLUMNS, whole, ({ te }, row) => te.values[row] ?? 0);
  return { query, whole, runs, waits };
}
