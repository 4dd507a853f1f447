import type { Batch, FirstRows, ReadHow, Stretch, TraceData } from '../tables/index.ts';

/** Which waits of those that were read: those that touch a stretch of time, but for those that end after one time, until another. */
export interface WhichWaits extends Stretch {
  readonly leftOut: { readonly after_ts: number; readonly until_ts: number };
}

/** All of them. */
export const ALL_WAITS: WhichWaits = {
  start: -Infinity,
  end: Infinity,
  leftOut: { after_ts: Infinity, until_ts: -Infinity },
};

/** Some of the waits in batches of a table. */
export interface SomeWaits<Column extends string> {
  /** Reads batches as they are asked for, but for those that begin with some rows. */
  readonly read: (known?: FirstRows) => AsyncIterable<Batch<Column>>;
  /** Whether batches come whole, of `etw_ready_wait`: each is known by its first row. */
  readonly areWhole: boolean;
  readonly which: WhichWaits;
}

/** The waits of a range: some one by one, and the others counted. */
export interface WaitsOfRange<Column extends string, CountColumn extends string> {
  readonly waits: readonly SomeWaits<Column>[];
  readonly counts: readonly Batch<CountColumn>[];
}

/** Where waits are read. */
export type WaitTables = Pick<TraceData, 'tables' | 'hasColumns'>;

/** What is read of waits and of their counts. */
export interface WaitColumns<Column extends string, CountColumn extends string> {
  readonly waits: readonly Column[];
  readonly counts: readonly CountColumn[];
}

/**
 * Reads the waits that a range touches. Of the stretches that lie in `counted`, a part of the range, it reads counts, and the longest waits
 * alone. What is counted ends there, and may begin before.
 */
export async function readWaits<Column extends string, CountColumn extends string>(
  data: WaitTables,
  range: Stretch,
  columns: WaitColumns<Column, CountColumn>,
  { counted = range, how }: { readonly counted?: Stretch; readonly how?: ReadHow } = {},
): Promise<WaitsOfRange<Column, CountColumn>> {
  const { tables } = data;
  const { counts, after_ts, until_ts } = await countsWithin(data, counted, columns.counts);
  const around = [
    // A wait without length may end and begin where the first stretch begins.
    { start: range.start, end: after_ts + 1 },
    { start: until_ts, end: range.end },
  ];
  const isCounted = counts.length > 0;
  const touched = isCounted ? around : range;
  const single = {
    read: (known?: FirstRows) => tables.batches('etw_ready_wait', columns.waits, touched, how, known),
    areWhole: !isCounted,
    which: { ...range, leftOut: { after_ts, until_ts } },
  };
  if (!isCounted) return { waits: [single], counts };
  const long = {
    read: () => tables.batches('etw_ready_wait_long', columns.waits),
    areWhole: false,
    which: { start: after_ts, end: Infinity, leftOut: { after_ts: until_ts, until_ts: Infinity } },
  };
  return { waits: [single, long], counts };
}

/** Counts of the stretches that lie in a range: of waits that end after one time, until another. */
interface CountsWithin<CountColumn extends string> {
  readonly counts: readonly Batch<CountColumn>[];
  readonly after_ts: number;
  readonly until_ts: number;
}

async function countsWithin<CountColumn extends string>(
  { tables, hasColumns }: WaitTables,
  range: Stretch,
  columns: readonly CountColumn[],
): Promise<CountsWithin<CountColumn>> {
  // A wait that ends where the range does may begin there too: so a stretch ends before.
  const counts = hasColumns
    ? await allBatches(tables.batches('etw_ready_wait_stretch', columns, range, 'within'))
    : [];
  let [after_ts, until_ts] = [Infinity, -Infinity];
  for (const { times } of counts) {
    after_ts = Math.min(after_ts, times?.least_ns ?? Infinity);
    until_ts = Math.max(until_ts, times?.greatest_ns ?? -Infinity);
  }
  return { counts, after_ts, until_ts };
}

/** Batches, once all are there. */
export async function allBatches<C extends string>(
  batches: AsyncIterable<Batch<C>>,
): Promise<readonly Batch<C>[]> {
  const read: Batch<C>[] = [];
  for await (const batch of batches) read.push(batch);
  return read;
}
