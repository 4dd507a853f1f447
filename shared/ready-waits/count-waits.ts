import { keepLast, oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, type Bounds } from '../tables/index.ts';
import { loadThreadNames, type ThreadName } from '../threads/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../why-late/columns/index.ts';
import { GatheredBatches, MOST_WAITS } from './gathered-batches.ts';
import { ProcessCodes } from './process-codes.ts';
import { ALL_WAITS, allBatches, readWaits, type WaitsOfRange, type WaitTables } from './read-waits.ts';
import type { WaitCounts, WaitRows } from './wait-bins.ts';
import {
  countsByProcess,
  gatherWaits,
  WAIT_COLUMNS,
  type CountColumn,
  type WaitColumn,
} from './wait-rows.ts';

/** All that percentiles, bars and groups are made of, whatever the filters. */
export interface CountedWaits {
  /** Waits, one by one, batch after batch. */
  readonly rows: readonly WaitRows[];
  /** The others, counted by thread, rank, priority, cause and length. */
  readonly counts: WaitCounts;
  readonly names: ReadonlyMap<number, ThreadName>;
}

type CountableWaits = WaitsOfRange<WaitColumn, CountColumn>;

const keep = keepLast<CountedWaits>();

/** What was gathered of a trace. */
const gatheredOf = oncePerTrace(() => Promise.resolve(new GatheredBatches()));

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
    return counted(read, names, judged, await gatheredOf(query));
  });
}

/**
 * Counts what is read.
 * @param gathered what was gathered of the trace before, with the same names and judged ranks; what is gathered now is added
 */
export async function counted(
  { waits, counts }: CountableWaits,
  names: ReadonlyMap<number, ThreadName>,
  judged: JudgedRanks,
  gathered = new GatheredBatches(),
): Promise<CountedWaits> {
  const processes = new ProcessCodes(names);
  const rows: WaitRows[] = [];
  for (const { read, areWhole, which } of waits) {
    const known = areWhole ? gathered.within(which) : new Map<number, WaitRows>();
    rows.push(...known.values());
    for await (const batch of read(known)) {
      const own = gatherWaits(batch, which, judged, processes);
      rows.push(own);
      if (areWhole) gathered.keep(batch, own);
    }
  }
  return { rows, counts: countsByProcess(counts, processes), names };
}

/**
 * Gathers the waits of a trace, a batch at a time: then a wide range costs as little as a narrow one. Nothing where stretches are counted
 * instead.
 */
export async function* gatherAhead(query: Query): AsyncGenerator<void> {
  const { tables } = dataOf(query);
  if ((await tables.rowCount('etw_ready_wait')) > MOST_WAITS) return;
  const gathered = await gatheredOf(query);
  const judged = await loadJudgedRanks(query);
  const processes = new ProcessCodes(await loadThreadNames(tables));
  const known = gathered.within(ALL_WAITS);
  for await (const batch of tables.batches('etw_ready_wait', WAIT_COLUMNS.waits, undefined, 'once', known)) {
    gathered.keep(batch, gatherWaits(batch, ALL_WAITS, judged, processes));
    yield;
  }
}

async function readWhole({ tables }: WaitTables): Promise<CountableWaits> {
  const long = () => tables.batches('etw_ready_wait_long', WAIT_COLUMNS.waits);
  const counts = tables.batches('etw_ready_wait_rest', WAIT_COLUMNS.counts, undefined, 'once');
  return { waits: [{ read: long, areWhole: false, which: ALL_WAITS }], counts: await allBatches(counts) };
}
