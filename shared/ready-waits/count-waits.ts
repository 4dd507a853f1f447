import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Batch, type Bounds, type Stretch, type TraceData } from '../tables/index.ts';
import { loadThreadNames, type ThreadName } from '../threads/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../why-late/columns/index.ts';
import { ProcessCodes } from './process-codes.ts';
import type { WaitCounts, WaitRows } from './wait-bins.ts';
import {
  ALL_WAITS,
  countsByProcess,
  rowsByProcess,
  WAIT_COUNT_COLUMNS,
  WAIT_ROW_COLUMNS,
  type CountsBatch,
  type ReadWaits,
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

/** All waits in the range. Those of the whole trace, or of whole stretches in the range, are counted but for the longest. */
export function countWaits(
  query: Query,
  { range_start: start, range_end: end }: Bounds,
  isWhole: boolean,
): Promise<CountedWaits> {
  return keep(query, isWhole ? 'whole' : `${start} ${end}`, async () => {
    const data = dataOf(query);
    const [read, names, judged] = await Promise.all([
      isWhole ? readWhole(data) : readRange(data, { start, end }),
      loadThreadNames(data.tables),
      loadJudgedRanks(query),
    ]);
    return counted(read, names, judged);
  });
}

/** Counts what was read. */
export function counted(
  { waits, counts }: Read,
  names: ReadonlyMap<number, ThreadName>,
  judged: JudgedRanks,
): CountedWaits {
  const processes = new ProcessCodes(names);
  return {
    rows: rowsByProcess(waits, judged, processes),
    counts: countsByProcess(counts, processes),
    names,
  };
}

/** Where waits are read. */
type WaitTables = Pick<TraceData, 'tables' | 'hasColumns'>;

/** What is read to count waits. */
export interface Read {
  readonly waits: readonly ReadWaits[];
  readonly counts: readonly CountsBatch[];
}

async function readWhole({ tables }: WaitTables): Promise<Read> {
  const [long, counts] = await Promise.all([
    all(tables.batches('etw_ready_wait_long', WAIT_ROW_COLUMNS)),
    all(tables.batches('etw_ready_wait_rest', WAIT_COUNT_COLUMNS, undefined, 'once')),
  ]);
  return { waits: [{ batches: long, which: ALL_WAITS }], counts };
}

/** Reads waits that a range touches: of the stretches that lie in it, counts and the longest alone. */
export async function readRange(data: WaitTables, range: Stretch): Promise<Read> {
  const { tables } = data;
  const { counts, after_ts, until_ts } = await countsWithin(data, range);
  const readAll = (of: Stretch | readonly Stretch[]) =>
    all(tables.batches('etw_ready_wait', WAIT_ROW_COLUMNS, of));
  const leftOut = { after_ts, until_ts };
  if (counts.length === 0)
    return { waits: [{ batches: await readAll(range), which: { ...range, leftOut } }], counts };
  const around = [
    // A wait without length may end and begin where the first stretch begins.
    { start: range.start, end: after_ts + 1 },
    { start: until_ts, end: range.end },
  ];
  const [batches, long] = await Promise.all([
    readAll(around),
    all(tables.batches('etw_ready_wait_long', WAIT_ROW_COLUMNS)),
  ]);
  const inStretches = {
    ...{ start: after_ts, end: Infinity },
    leftOut: { after_ts: until_ts, until_ts: Infinity },
  };
  const waits = [
    { batches, which: { ...range, leftOut } },
    { batches: long, which: inStretches },
  ];
  return { waits, counts };
}

/** Counts of the stretches that lie in a range: of waits that end after one time, until another. */
interface CountsWithin {
  readonly counts: readonly CountsBatch[];
  readonly after_ts: number;
  readonly until_ts: number;
}

async function countsWithin(
  { tables, hasColumns }: WaitTables,
  { start, end }: Stretch,
): Promise<CountsWithin> {
  const counts: CountsBatch[] = [];
  let [after_ts, until_ts] = [Infinity, -Infinity];
  if (!hasColumns) return { counts, after_ts, until_ts };
  const stretches = tables.batches('etw_ready_wait_stretch', WAIT_COUNT_COLUMNS, { start, end }, 'once');
  for await (const batch of stretches) {
    const { least_ns, greatest_ns } = batch.times ?? { least_ns: -Infinity, greatest_ns: Infinity };
    // A wait that ends where the range does may begin there too.
    if (least_ns < start || greatest_ns >= end) continue;
    counts.push(batch);
    after_ts = Math.min(after_ts, least_ns);
    until_ts = Math.max(until_ts, greatest_ns);
  }
  return { counts, after_ts, until_ts };
}

async function all<C extends string>(batches: AsyncIterable<Batch<C>>): Promise<readonly Batch<C>[]> {
  const read: Batch<C>[] = [];
  for await (const batch of batches) read.push(batch);
  return read;
}
