import { dataOf, type Tables, type TraceData } from '../../tables/index.ts';
import type { Measure } from './index.ts';

/** Groups of lengths lie apart by a factor of so much at least. */
const FACTOR = 8;
/** Each group holds this part of the waits at least. */
const LEAST_SHARE = 0.1;
/** Fewer waits have no shape. */
const LEAST_WAITS = 50;

/** Threads whose ready waits are of two kinds: short ones and long ones, and none between that is less than 8 times as long as the one before. */
export const twoModes: Measure = {
  columns: [
    ...['utid', 'ts', 'dur', 'waits', 'long_waits'],
    ...['short_ns', 'long_ns', 'short_most_ns', 'long_least_ns', 'long_sum_ns'],
  ],
  async rows({ query }) {
    const data = dataOf(query);
    const candidates = await threadsWithGaps(data);
    const found: number[][] = [];
    for (const { utid, lengths: given, longest_ts } of await lengthsOf(data.tables, candidates)) {
      const lengths = Float64Array.from(given).sort();
      const gap = widestGap(lengths);
      if (gap === null) continue;
      const long = lengths.subarray(gap);
      found.push([
        ...[utid, longest_ts, lengths.at(-1) ?? 0, lengths.length, long.length],
        ...[middle(lengths.subarray(0, gap)), middle(long), lengths[gap - 1] ?? 0, lengths[gap] ?? 0],
        long.reduce((sum, ns) => sum + ns, 0),
      ]);
    }
    return found.sort((a, b) => (b.at(-1) ?? 0) - (a.at(-1) ?? 0));
  },
};

/** The bins of `etw_ready_wait_rest`, of a hundredth of a decade, are put together by so many. */
const BINS_IN_CLASS = 10;
const CLASSES = 200;
/** What is below 100 ns is in one bin. It has a class of its own, the first one. */
const SHORTEST_BIN = 200;
/** Lengths that lie apart by `FACTOR` are in classes that lie as far apart at least, but for those of the first class. */
const CLASSES_APART = Math.floor((100 * Math.log10(FACTOR)) / BINS_IN_CLASS);

const binOf = (ns: number) => Math.max(SHORTEST_BIN, Math.floor(100 * Math.log10(Math.max(1, ns))));
const classOf = (bin: number) =>
  bin <= SHORTEST_BIN ? 0 : Math.min(CLASSES - 1, Math.floor(bin / BINS_IN_CLASS));
const leastOf = (waits: number) => Math.ceil(waits * LEAST_SHARE);

/** Whether enough waits may be on both sides of a gap. */
function hasGap(counts: Uint32Array): boolean {
  const waits = counts.reduce((sum, count) => sum + count, 0);
  const least = leastOf(waits);
  // How far those lie apart is not known.
  if ((counts[0] ?? 0) >= least) return true;
  let [below, last] = [0, 0];
  for (let at = 0; at < CLASSES; at++) {
    const count = counts[at] ?? 0;
    if (count === 0) continue;
    if (below >= least && waits - below >= least && at - last >= CLASSES_APART) return true;
    below += count;
    last = at;
  }
  return false;
}

/** What is called with a thread, a bin of lengths, and how many ready waits are in it. A bin may come more than once. */
type TellWaits = (utid: number, bin: number, waits: number) => void;

/** Threads with short and long ready waits and none between: there may be two kinds. */
async function threadsWithGaps(data: TraceData): Promise<readonly number[]> {
  // Lists, since millions of waits ask. A thread of few waits gets no counts: there may be a million of these.
  const waitsOf: number[] = [];
  await eachBin(data, (utid, _bin, waits) => {
    waitsOf[utid] = (waitsOf[utid] ?? 0) + waits;
  });
  const countsOf: (Uint32Array | undefined)[] = [];
  waitsOf.forEach((waits, utid) => {
    if (waits >= LEAST_WAITS) countsOf[utid] = new Uint32Array(CLASSES);
  });
  if (countsOf.length === 0) return [];
  await eachBin(data, (utid, bin, waits) => {
    const counts = countsOf[utid];
    if (counts === undefined) return;
    const of = classOf(bin);
    counts[of] = (counts[of] ?? 0) + waits;
  });
  return [...countsOf.entries()].flatMap(([utid, counts]) =>
    counts !== undefined && hasGap(counts) ? utid : [],
  );
}

/** Passes on how many ready waits of each length each thread has. */
async function eachBin({ tables, hasColumns }: TraceData, tell: TellWaits): Promise<void> {
  // SQL counts no faster than it reads the waits.
  const alone = hasColumns ? 'etw_ready_wait_long' : 'etw_ready_wait';
  for await (const { rowCount, columns } of tables.batches(alone, ['ts', 'te', 'utid'])) {
    for (let row = 0; row < rowCount; row++) {
      const length_ns = (columns.te.values[row] ?? 0) - (columns.ts.values[row] ?? 0);
      tell(columns.utid.values[row] ?? 0, binOf(length_ns), 1);
    }
  }
  if (!hasColumns) return;
  const rest = tables.batches('etw_ready_wait_rest', ['utid', 'bin', 'waits'], undefined, 'once');
  for await (const { rowCount, columns } of rest)
    for (let row = 0; row < rowCount; row++)
      tell(columns.utid.values[row] ?? 0, columns.bin.values[row] ?? 0, columns.waits.values[row] ?? 0);
}

interface Lengths {
  readonly utid: number;
  readonly lengths: number[];
  longest_ns: number;
  longest_ts: number;
}

/** How long the ready waits of some threads are. */
async function lengthsOf(tables: Tables, utids: readonly number[]): Promise<readonly Lengths[]> {
  const found = utids.map((utid): Lengths => ({ utid, lengths: [], longest_ns: -1, longest_ts: 0 }));
  if (found.length === 0) return found;
  // A list, since millions of waits ask.
  const byKey: (Lengths | undefined)[] = [];
  for (const of of found) byKey[of.utid] = of;
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', ['ts', 'te', 'utid'])) {
    for (let row = 0; row < rowCount; row++) {
      const of = byKey[columns.utid.values[row] ?? 0];
      if (of === undefined) continue;
      const ts = columns.ts.values[row] ?? 0;
      const length_ns = (columns.te.values[row] ?? 0) - ts;
      of.lengths.push(length_ns);
      if (length_ns >= of.longest_ns) {
        of.longest_ns = length_ns;
        of.longest_ts = ts;
      }
    }
  }
  return found;
}

/** Where the long ones begin: at the widest step between two lengths, if both sides hold enough. */
function widestGap(sorted: Float64Array): number | null {
  let [at, widest] = [0, 0];
  const least = leastOf(sorted.length);
  for (let index = least; index <= sorted.length - least; index++) {
    const factor = (sorted[index] ?? 0) / Math.max(1, sorted[index - 1] ?? 0);
    if (factor > widest) [at, widest] = [index, factor];
  }
  return widest >= FACTOR ? at : null;
}

function middle(sorted: Float64Array): number {
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
