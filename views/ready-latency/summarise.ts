import type { MainWhy } from '../../shared/why-late/index.ts';
import type { DurationBin } from '../kit/histogram.ts';
import { groupBins, type BinRows } from './filter-bins.ts';
import type { GroupBy, GroupSummary, ReadyWait, WaitSummary, WhySum } from './model.ts';
import type { CountedWaits, WaitBins } from './wait-bins.ts';

const BINS_PER_DECADE = 100;
const BINS_PER_BAR = 10;

/** The waits of one bin, of all the rows together. */
interface Bin {
  readonly bin: number;
  count: number;
  sum_ns: number;
  max_ns: number;
}

function risingBins(bins: WaitBins, rows: BinRows): Bin[] {
  const merged = new Map<number, Bin>();
  for (const row of rows) {
    const bin = bins.bin[row] ?? 0;
    const [count = 0, sum_ns = 0, max_ns = 0] = [bins.count[row], bins.sum_ns[row], bins.max_ns[row]];
    const before = merged.get(bin);
    if (before === undefined) {
      merged.set(bin, { bin, count, sum_ns, max_ns });
      continue;
    }
    before.count += count;
    before.sum_ns += sum_ns;
    before.max_ns = Math.max(before.max_ns, max_ns);
  }
  return [...merged.values()].sort((a, b) => a.bin - b.bin);
}

/** Count, sum, percentiles (nearest rank) and maximum of binned waits. */
export function summarise(bins: WaitBins, rows: BinRows): WaitSummary {
  const rising = risingBins(bins, rows);
  const count = rising.reduce((sum, bin) => sum + bin.count, 0);
  const percentile = (part: number): number => {
    let left = Math.ceil(count * part);
    return rising.find((bin) => (left -= bin.count) <= 0)?.max_ns ?? 0;
  };
  const p99_ns = percentile(0.99);
  return {
    count,
    sum_ns: rising.reduce((sum, bin) => sum + bin.sum_ns, 0),
    p50_ns: percentile(0.5),
    p90_ns: percentile(0.9),
    p99_ns,
    max_ns: rising.at(-1)?.max_ns ?? 0,
    above_p99_ns: rising.reduce((sum, bin) => (bin.max_ns > p99_ns ? sum + bin.sum_ns : sum), 0),
  };
}

/** The summary of each group, longest wait first. */
export function summariseGroups(counted: CountedWaits, rows: BinRows, by: GroupBy): GroupSummary[] {
  return [...groupBins(counted, rows, by)]
    .map(([key, group]) => {
      const name = counted.names.get(counted.bins.utid[group[0] ?? 0] ?? NaN);
      const isNamed = by === 'process' || by === 'thread';
      return {
        process: isNamed ? (name?.process ?? null) : null,
        pid: isNamed ? (name?.pid ?? null) : null,
        tid: by === 'thread' ? (name?.tid ?? null) : null,
        rank: by === 'rank' ? known(key) : null,
        priority: by === 'priority' ? known(key) : null,
        ...summarise(counted.bins, group),
      };
    })
    .sort((a, b) => b.max_ns - a.max_ns);
}

function known(key: number): number | null {
  return Number.isNaN(key) ? null : key;
}

/** How many waits are in bins above `bin`. */
export function countAbove(bins: WaitBins, rows: BinRows, bin: number): number {
  return rows.reduce((sum, row) => ((bins.bin[row] ?? 0) > bin ? sum + (bins.count[row] ?? 0) : sum), 0);
}

/** A length in ns that at least `count` waits have, if there are so many: the lower edge of a bin. */
export function lengthOfLongest(bins: WaitBins, rows: BinRows, count: number): number {
  let left = count;
  for (const bin of risingBins(bins, rows).reverse()) {
    left -= bin.count;
    // Below its first bin there is more of it; and an edge that was rounded up would leave out what lies on it.
    if (left <= 0) return bin.bin <= FIRST_BIN ? 0 : Math.floor(10 ** (bin.bin / BINS_PER_DECADE)) - 1;
  }
  return 0;
}

/** The bin of all that is below 100 ns. */
const FIRST_BIN = 200;

/** The ready time of waits by main reason, most first. */
export function splitByWhy(waits: readonly ReadyWait[]): WhySum[] {
  const sums = new Map<MainWhy, WhySum>();
  for (const { why_late: why, dur } of waits) {
    if (why === null) continue;
    const before = sums.get(why) ?? { count: 0, sum_ns: 0 };
    sums.set(why, { why, count: before.count + 1, sum_ns: before.sum_ns + dur });
  }
  return [...sums.values()].sort((a, b) => b.sum_ns - a.sum_ns);
}

/** Bars of a tenth of a decade, from the first that holds a wait to the last, without gaps. */
export function histogramBars(bins: WaitBins, rows: BinRows): DurationBin[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const bar = Math.floor((bins.bin[row] ?? 0) / BINS_PER_BAR);
    counts.set(bar, (counts.get(bar) ?? 0) + (bins.count[row] ?? 0));
  }
  if (counts.size === 0) return [];
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  const edge_ns = (bar: number) => 10 ** ((bar * BINS_PER_BAR) / BINS_PER_DECADE);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    from_ns: edge_ns(first + index),
    to_ns: edge_ns(first + index + 1),
    count: counts.get(first + index) ?? 0,
  }));
}
