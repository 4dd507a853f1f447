import type { MainWhy } from '../../shared/why-late/index.ts';
import type { DurationBin } from '../kit/histogram.ts';
import type { GroupSummary, ReadyWait, WaitSummary, WhySum } from './model.ts';

/** Waits of one group in one hundredth of a decade: `bin` = floor(100 log10 of the duration in ns). */
export interface WaitBin {
  /** What tells the groups apart; null for what is not known. */
  readonly key: number | null;
  readonly pid: number | null;
  readonly process: string | null;
  readonly tid: number | null;
  readonly rank: number | null;
  readonly priority: number | null;
  readonly bin: number;
  readonly count: number;
  readonly sum_ns: number;
  readonly max_ns: number;
}

const BINS_PER_DECADE = 100;
const BINS_PER_BAR = 10;

/** Count, sum, percentiles (nearest rank) and maximum of binned waits. */
export function summarise(bins: readonly WaitBin[]): WaitSummary {
  const merged = new Map<number, { count: number; sum_ns: number; max_ns: number }>();
  let count = 0;
  let sum_ns = 0;
  for (const bin of bins) {
    count += bin.count;
    sum_ns += bin.sum_ns;
    const before = merged.get(bin.bin) ?? { count: 0, sum_ns: 0, max_ns: 0 };
    merged.set(bin.bin, {
      count: before.count + bin.count,
      sum_ns: before.sum_ns + bin.sum_ns,
      max_ns: Math.max(before.max_ns, bin.max_ns),
    });
  }
  const rising = [...merged].sort(([a], [b]) => a - b).map(([, bin]) => bin);
  const percentile = (part: number): number => {
    let left = Math.ceil(count * part);
    return rising.find((bin) => (left -= bin.count) <= 0)?.max_ns ?? 0;
  };
  const p99_ns = percentile(0.99);
  return {
    count,
    sum_ns,
    p50_ns: percentile(0.5),
    p90_ns: percentile(0.9),
    p99_ns,
    max_ns: rising.at(-1)?.max_ns ?? 0,
    above_p99_ns: rising.reduce((sum, bin) => (bin.max_ns > p99_ns ? sum + bin.sum_ns : sum), 0),
  };
}

/** The summary of each group, longest wait first. */
export function summariseGroups(bins: readonly WaitBin[]): GroupSummary[] {
  const groups = new Map<number | null, WaitBin[]>();
  for (const bin of bins) {
    const group = groups.get(bin.key);
    if (group === undefined) groups.set(bin.key, [bin]);
    else group.push(bin);
  }
  return [...groups.values()]
    .map((group) => ({
      process: group[0]?.process ?? null,
      pid: group[0]?.pid ?? null,
      tid: group[0]?.tid ?? null,
      rank: group[0]?.rank ?? null,
      priority: group[0]?.priority ?? null,
      ...summarise(group),
    }))
    .sort((a, b) => b.max_ns - a.max_ns);
}

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
