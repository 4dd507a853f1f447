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

/** Durations in ns by bin. */
export function binned(durations: Iterable<number>): { readonly bin: number; readonly count: number }[] {
  const counts = new Map<number, number>();
  for (const ns of durations) {
    const bin = Math.floor(BINS_PER_DECADE * Math.log10(ns));
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return [...counts].map(([bin, count]) => ({ bin, count }));
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
