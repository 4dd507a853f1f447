import { oncePerTrace } from '../engine/index.ts';
import type { Tables } from './tables.ts';
import type { TraceData } from './trace-data.ts';

/** So many of the longest waits `etw_ready_wait_long` has; with others that are in doubt. */
const LONGEST = 10_000;

/** From which length on `etw_ready_wait_long` has all waits, in ns. */
export const allLongFrom = oncePerTrace(async (tables: Tables): Promise<number> => {
  if ((await tables.rowCount('etw_ready_wait_rest')) === 0) return 0;
  const lengths: number[] = [];
  for await (const { columns } of tables.batches('etw_ready_wait_long', ['dur']))
    lengths.push(...columns.dur.values);
  return lengths.sort((a, b) => b - a)[LONGEST - 1] ?? 0;
});

/** The table that has all waits of at least so much, of as few as can be. */
export async function tableOfLong(
  { tables, hasColumns }: TraceData,
  at_least_ns: number,
): Promise<'etw_ready_wait' | 'etw_ready_wait_long'> {
  // SQL finds the longest no faster than it reads all.
  return hasColumns && at_least_ns > (await allLongFrom(tables)) ? 'etw_ready_wait_long' : 'etw_ready_wait';
}
