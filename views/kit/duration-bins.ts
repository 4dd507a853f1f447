import type { DurationBin } from './histogram.ts';

const BINS_PER_DECADE = 100;
const BINS_PER_BAR = 10;

/** Durations that were counted by the hundredth of a decade in which they lie. */
export interface DurationsInBin {
  /** floor(100 log10 of the ns). */
  readonly bin: number;
  readonly count: number;
  /** The longest of them. */
  readonly max_ns: number;
}

/** Durations in whole ns that can be counted. */
interface CountedDurations {
  shortest(): number;
  longest(): number;
  /** How many are shorter. */
  below(ns: number): number;
}

/** Bars of a tenth of a decade, as {@link histogramBars} makes them. */
export function barsOf(durations: CountedDurations): DurationBin[] {
  const [shortest, last] = [durations.shortest(), barOf(durations.longest())];
  if (!(shortest <= durations.longest())) return [];
  const bins: { readonly bin: number; readonly count: number }[] = [];
  for (let bar = barOf(shortest); bar <= last; bar++) {
    const count = durations.below(leastOf(bar + 1)) - durations.below(leastOf(bar));
    bins.push({ bin: bar * BINS_PER_BAR, count });
  }
  return histogramBars(bins);
}

const barOf = (ns: number) => Math.floor(Math.floor(BINS_PER_DECADE * Math.log10(ns)) / BINS_PER_BAR);

/** The least duration of a bar, in whole ns. Powers and logarithms are rounded. */
function leastOf(bar: number): number {
  let ns = Math.max(1, Math.floor(10 ** ((bar * BINS_PER_BAR) / BINS_PER_DECADE)) - 1);
  while (barOf(ns) < bar) ns++;
  return ns;
}

/** The percentile (nearest rank) of binned durations: the longest of the bin in which it lies. 0 of none. */
export function percentileOf(rising: readonly DurationsInBin[], part: number): number {
  let left = Math.ceil(rising.reduce((sum, { count }) => sum + count, 0) * part);
  return rising.find(({ count }) => (left -= count) <= 0)?.max_ns ?? 0;
}

/** Bars of a tenth of a decade, from the first that holds a duration to the last, without gaps. */
export function histogramBars(rising: readonly Omit<DurationsInBin, 'max_ns'>[]): DurationBin[] {
  const counts = new Map<number, number>();
  for (const { bin, count } of rising) {
    const bar = Math.floor(bin / BINS_PER_BAR);
    counts.set(bar, (counts.get(bar) ?? 0) + count);
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
