import { oncePerTrace } from '../engine/index.ts';
import type { Tables } from './tables.ts';

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
