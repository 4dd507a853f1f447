import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Batch, type Bounds } from '../tables/index.ts';
import { loadThreadNames, type ThreadName } from '../threads/index.ts';
import { loadJudgedRanks } from '../why-late/columns/index.ts';
import { ProcessCodes } from './process-codes.ts';
import type { WaitCounts, WaitRows } from './wait-bins.ts';
import { countsByProcess, rowsByProcess, WAIT_COUNT_COLUMNS, WAIT_ROW_COLUMNS } from './wait-rows.ts';

/** All that percentiles, bars and groups are made of, whatever the filters. */
export interface CountedWaits {
  /** Waits, one by one. */
  readonly rows: WaitRows;
  /** The others, counted by thread, rank, priority, cause and length. */
  readonly counts: WaitCounts;
  readonly names: ReadonlyMap<number, ThreadName>;
}

const keep = keepLast<CountedWaits>();

/** All waits in the range. Of the whole trace all but the longest are counted. */
export function countWaits(
  query: Query,
  { range_start: start, range_end: end }: Bounds,
  isWhole: boolean,
): Promise<CountedWaits> {
  return keep(query, isWhole ? 'whole' : `${start} ${end}`, async () => {
    const { tables } = dataOf(query);
    const [table, within] = isWhole
      ? (['etw_ready_wait_long', { start: -Infinity, end: Infinity }] as const)
      : (['etw_ready_wait', { start, end }] as const);
    const [waits, counts, names, judged] = await Promise.all([
      batchesOf(tables.batches(table, WAIT_ROW_COLUMNS, within)),
      isWhole ? batchesOf(tables.batches('etw_ready_wait_rest', WAIT_COUNT_COLUMNS, undefined, 'once')) : [],
      loadThreadNames(tables),
      loadJudgedRanks(query),
    ]);
    const processes = new ProcessCodes(names);
    const rows = rowsByProcess(waits, within, judged, processes);
    return { rows, counts: countsByProcess(counts, processes), names };
  });
}

async function batchesOf<C extends string>(batches: AsyncIterable<Batch<C>>): Promise<readonly Batch<C>[]> {
  const all: Batch<C>[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}
