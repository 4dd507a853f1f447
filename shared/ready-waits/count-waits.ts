import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Bounds } from '../tables/index.ts';
import { loadThreadNames, type ThreadName } from '../threads/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../why-late/columns/index.ts';
import { ProcessCodes } from './process-codes.ts';
import { ALL_WAITS, allBatches, readWaits, type WaitsOfRange, type WaitTables } from './read-waits.ts';
import type { WaitCounts, WaitRows } from './wait-bins.ts';
import {
  countsByProcess,
  GatheredWaits,
  WAIT_COLUMNS,
  type CountColumn,
  type WaitColumn,
} from './wait-rows.ts';

/** All that percentiles, bars and groups are made of, whatever the filters. */
export interface CountedWaits {
  /** Waits, one by one. */
  readonly rows: WaitRows;
  /** The others, counted by thread, rank, priority, cause and length. */
  readonly counts: WaitCounts;
  readonly names: ReadonlyMap<number, ThreadName>;
}

const keep = keepLast<CountedWaits>();

type CountableWaits = WaitsOfRange<WaitColumn, CountColumn>;

/** All waits in the range. Those of the whole trace, or of whole stretches in the range, are counted but for the longest. */
export function countWaits(
  query: Query,
  { range_start: start, range_end: end }: Bounds,
  isWhole: boolean,
): Promise<CountedWaits> {
  return keep(query, isWhole ? 'whole' : `${start} ${end}`, async () => {
    const data = dataOf(query);
    const [read, names, judged] = await Promise.all([
      isWhole ? readWhole(data) : readWaits(data, { start, end }, WAIT_COLUMNS),
      loadThreadNames(data.tables),
      loadJudgedRanks(query),
    ]);
    return counted(read, names, judged);
  });
}

/** Counts what is read. */
export async function counted(
  { waits, counts }: CountableWaits,
  names: ReadonlyMap<number, ThreadName>,
  judged: JudgedRanks,
): Promise<CountedWaits> {
  const processes = new ProcessCodes(names);
  const most = waits.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const rows = new GatheredWaits(most, judged, processes);
  // Each batch is counted while it is in the caches of the processor.
  for (const { batches, which } of waits) for await (const batch of batches) rows.add(batch, which);
  return { rows: rows.rows(), counts: countsByProcess(counts, processes), names };
}

async function readWhole({ tables }: WaitTables): Promise<CountableWaits> {
  const long = tables.batches('etw_ready_wait_long', WAIT_COLUMNS.waits);
  const rowCount = await tables.rowCount('etw_ready_wait_long');
  const counts = tables.batches('etw_ready_wait_rest', WAIT_COLUMNS.counts, undefined, 'once');
  return { waits: [{ batches: long, rowCount, which: ALL_WAITS }], counts: await allBatches(counts) };
}
