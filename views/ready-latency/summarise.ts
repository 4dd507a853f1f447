import type { DurationBin } from '../kit/histogram.ts';
import type { ProcessSummary, WaitSummary } from './model.ts';

/** Waits of one process in one hundredth of a decade: `bin` = floor(100 log10 of the duration in ns). */
export interface WaitBin {
  readonly upid: number | null;
  readonly pid: number | null;
  readonly process: string | null;
  readonly bin: number;
  readonly count: number;
  readonly sum_ns: number;
  readonly max_ns: number;
}

const BINS_PER_DECADE = 100;
const BINS_PER_BAR = 10;

/** Count, sum, percentiles (nearest rank) and maximum of binned waits. */
export function summarise(bins: readonly WaitBin[]): WaitSummary {
  const merged = new Map<number, { count: number; max_ns: number }>();
  let count = 0;
  let sum_ns = 0;
  for (const bin of bins) {
    count += bin.count;
    sum_ns += bin.sum_ns;
    const before = merged.get(bin.bin) ?? { count: 0, max_ns: 0 };
    merged.set(bin.bin, {
      count: before.count + bin.count,
      max_ns: Math.max(before.max_ns, bin.max_ns),
    });
  }
  const rising = [...merged].sort(([a], [b]) => a - b).map(([, bin]) => bin);
  const percentile = (part: number): number => {
    let left = Math.ceil(count * part);
    return rising.find((bin) => (left -= bin.count) <= 0)?.max_ns ?? 0;
  };
  return {
    count,
    sum_ns,
    p50_ns: percentile(0.5),
    p90_ns: percentile(0.9),
    p99_ns: percentile(0.99),
    max_ns: rising.at(-1)?.max_ns ?? 0,
  };
}

/** The summary of each process, longest wait first. */
export function summariseByProcess(bins: readonly WaitBin[]): ProcessSummary[] {
  const groups = new Map<number | null, WaitBin[]>();
  for (const bin of bins) {
    const group = groups.get(bin.upid);
    if (group === undefined) groups.set(bin.upid, [bin]);
    else group.push(bin);
  }
  return [...groups.values()]
    .map((group) => ({
      process: group[0]?.process ?? null,
      pid: group[0]?.pid ?? null,
      ...summarise(group),
    }))
    .sort((a, b) => b.max_ns - a.max_ns);
}

/** Bars of a tenth of a decade, from the first that holds a wait to the last, without gaps. */
export function histogramBars(bins: readonly WaitBin[]): DurationBin[] {
  const counts = new Map<number, number>();
  for (const { bin, count } of bins) {
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
