import { readRows, type Rows } from '../../causes/index.ts';
import type { Query } from '../../engine/index.ts';
import { dataOf } from '../../tables/index.ts';
import type { TimeRange } from '../../view/index.ts';

const RUN_COLUMNS = ['ts', 'te', 'cpu', 'utid', 'rank', 'priority'] as const;
const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'waker_utid', 'rank', 'priority', 'ended'] as const;

/** The runs and ready waits of a recording. */
export interface Measured {
  readonly runs: Rows<(typeof RUN_COLUMNS)[number]>;
  readonly waits: Rows<(typeof WAIT_COLUMNS)[number]>;
}

/** Reads what all measures count. */
export async function readMeasured(query: Query, whole: TimeRange): Promise<Measured> {
  const { tables } = dataOf(query);
  const runs = await readRows(tables, 'etw_run', RUN_COLUMNS, whole);
  const waits = await readRows(tables, 'etw_ready_wait', WAIT_COLUMNS, whole);
  return { runs, waits };
}
