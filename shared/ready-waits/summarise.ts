import { keepLast } from '../engine/index.ts';
import {
  filterBins,
  groupBins,
  type CountedWaits,
  type GroupBy,
  type WaitBins,
  type WaitFilters,
} from './wait-bins.ts';
import { binOf, binOfKey } from './wait-key.ts';

/** Numbers over many waits. A percentile is the longest wait of the hundredth of a decade in which it lies. */
export interface WaitSummary {
  readonly count: number;
  readonly sum_ns: number;
  readonly p50_ns: number;
  readonly p90_ns: number;
  readonly p99_ns: number;
  readonly max_ns: number;
  /** The sum of the waits that are longer than `p99_ns`. */
  readonly above_p99_ns: number;
}

/** The waits of one process, thread, rank or priority; fields that do not name it are null. */
export interface GroupSummary extends WaitSummary {
  readonly process: string | null;
  /** The service of a thread, else those that the process hosts. */
  readonly service: string | null;
  readonly pid: number | null;
  readonly tid: number | null;
  readonly rank: number | null;
  readonly priority: number | null;
}

const BINS_PER_DECADE = 100;

/** The waits of one bin, of all rows together. */
export interface Bin {
  readonly bin: number;
  readonly count: number;
  readonly sum_ns: number;
  readonly max_ns: number;
}

/** Bins have 11 bits. */
const BIN_COUNT = 2048;

/** Sums by bin, all 0 between calls: one set for all groups, since there can be thousands. */
const counts = new Float64Array(BIN_COUNT);
const sums_ns = new Float64Array(BIN_COUNT);
const maxima_ns = new Float64Array(BIN_COUNT);

/** Uses the sums by bin while they hold those of some rows: of the bins from `first` to `last`. */
function withSums<T>(bins: WaitBins, rows: Uint32Array, use: (first: number, last: number) => T): T {
  let [first, last] = [BIN_COUNT, -1];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const bin = binOfKey(bins.key[row] ?? 0);
    if (bin < first) first = bin;
    if (bin > last) last = bin;
    counts[bin] = (counts[bin] ?? 0) + (bins.count[row] ?? 0);
    sums_ns[bin] = (sums_ns[bin] ?? 0) + (bins.sum_ns[row] ?? 0);
    const max_ns = bins.max_ns[row] ?? 0;
    if (max_ns > (maxima_ns[bin] ?? 0)) maxima_ns[bin] = max_ns;
  }
  const used = use(first, last);
  for (const sums of [counts, sums_ns, maxima_ns]) sums.fill(0, first, last + 1);
  return used;
}

/** Adds up the rows of each bin: bins that hold waits, rising. */
export function mergeBins(bins: WaitBins, rows: Uint32Array): Bin[] {
  return withSums(bins, rows, mergedSums);
}

function mergedSums(first: number, last: number): Bin[] {
  const merged: Bin[] = [];
  for (let bin = first; bin <= last; bin++) {
    const count = counts[bin] ?? 0;
    if (count > 0) merged.push({ bin, count, sum_ns: sums_ns[bin] ?? 0, max_ns: maxima_ns[bin] ?? 0 });
  }
  return merged;
}

/**
 * Count, sum, percentiles (nearest rank, as `percentileOf` has them) and maximum of binned waits. Without an object for each
 * bin: there can be thousands of groups with hundreds of bins each.
 */
export function summarise(bins: WaitBins, rows: Uint32Array): WaitSummary {
  return withSums(bins, rows, summaryOfSums);
}

function summaryOfSums(first: number, last: number): WaitSummary {
  let [count, sum_ns] = [0, 0];
  for (let bin = first; bin <= last; bin++) {
    count += counts[bin] ?? 0;
    sum_ns += sums_ns[bin] ?? 0;
  }
  const at = (part: number) => Math.ceil(count * part);
  const [at50, at90, at99] = [at(0.5), at(0.9), at(0.99)];
  let [p50_ns, p90_ns, p99_ns, above_p99_ns, passed] = [0, 0, 0, 0, 0];
  for (let bin = first; bin <= last; bin++) {
    const before = passed;
    passed += counts[bin] ?? 0;
    const max_ns = maxima_ns[bin] ?? 0;
    if (before < at50 && passed >= at50) p50_ns = max_ns;
    if (before < at90 && passed >= at90) p90_ns = max_ns;
    if (before < at99 && passed >= at99) p99_ns = max_ns;
    else if (before >= at99) above_p99_ns += sums_ns[bin] ?? 0;
  }
  return { count, sum_ns, p50_ns, p90_ns, p99_ns, max_ns: maxima_ns[last] ?? 0, above_p99_ns };
}

/** The summary of each group, longest wait first; of equal ones the one with the longest sum, then in the order of their keys. */
export function summariseGroups(counted: CountedWaits, rows: Uint32Array, by: GroupBy): GroupSummary[] {
  return [...groupBins(counted, rows, by)]
    .sort(([a], [b]) => (known(a) ?? Infinity) - (known(b) ?? Infinity))
    .map(([key, group]) => {
      const name = counted.names.get(counted.bins.utid[group[0] ?? 0] ?? NaN);
      const isNamed = by === 'process' || by === 'thread';
      return {
        process: isNamed ? (name?.process ?? null) : null,
        service: (by === 'thread' ? name?.service : by === 'process' ? name?.services : null) ?? null,
        pid: isNamed ? (name?.pid ?? null) : null,
        tid: by === 'thread' ? (name?.tid ?? null) : null,
        rank: by === 'rank' ? known(key) : null,
        priority: by === 'priority' ? known(key) : null,
        ...summarise(counted.bins, group),
      };
    })
    .sort((a, b) => b.max_ns - a.max_ns || b.sum_ns - a.sum_ns);
}

function known(key: number): number | null {
  return Number.isNaN(key) ? null : key;
}

/** How many waits are so long at least; null where bins cannot tell, since one of them holds waits that are and waits that may not be. */
export function countFrom(bins: WaitBins, rows: Uint32Array, at_least_ns: number): number | null {
  const edge = binOf(at_least_ns);
  const isEdge = at_least_ns <= 0 || binOf(at_least_ns - 1) < edge;
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const bin = binOfKey(bins.key[row] ?? 0);
    if (bin < edge || (bins.max_ns[row] ?? 0) < at_least_ns) continue;
    const ofRow = bins.count[row] ?? 0;
    if (bin === edge && !isEdge && ofRow > 1) return null;
    count += ofRow;
  }
  return count;
}

/** A length in ns that at least `count` waits have, if there are so many: the lower edge of a bin. */
export function lengthOfLongest(rising: readonly Bin[], count: number): number {
  let left = count;
  const bin = [...rising].reverse().find((each) => (left -= each.count) <= 0)?.bin ?? FIRST_BIN;
  // The first bin begins at 0; and an edge that was rounded up would leave out what lies on it.
  return bin <= FIRST_BIN ? 0 : Math.floor(10 ** (bin / BINS_PER_DECADE)) - 1;
}

/** The bin of all that is below 100 ns. */
const FIRST_BIN = 200;

/** What is counted of the waits that the filters let through. */
export interface ShownWaits {
  readonly rows: Uint32Array;
  readonly rising: readonly Bin[];
  readonly total: WaitSummary;
}

/** Least lengths, wait reasons and limits choose among listed waits: these leave what is counted as it is. */
const keepShown = keepLast<ShownWaits, CountedWaits>();
const keepGroups = keepLast<readonly GroupSummary[], CountedWaits>();

/** Counts the waits that the filters let through. */
export function countShown(counted: CountedWaits, params: WaitFilters): Promise<ShownWaits> {
  return keepShown(counted, filtersOf(params), () => {
    const rows = filterBins(counted, params);
    const { rising, total } = withSums(counted.bins, rows, (first, last) => ({
      rising: mergedSums(first, last),
      total: summaryOfSums(first, last),
    }));
    return Promise.resolve({ rows, rising, total });
  });
}

/** The same, by group. */
export function groupShown(
  counted: CountedWaits,
  { rows }: ShownWaits,
  params: WaitFilters,
  group_by: GroupBy,
): Promise<readonly GroupSummary[]> {
  return keepGroups(counted, `${group_by} ${filtersOf(params)}`, () =>
    Promise.resolve(summariseGroups(counted, rows, group_by)),
  );
}

/** The filters that choose among counts. */
function filtersOf({ process, thread, rank, ranked_only, priority, cause }: WaitFilters): string {
  return JSON.stringify([process, thread, rank, ranked_only, priority, cause]);
}
