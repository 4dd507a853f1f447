import * as d3 from 'd3';
import type { Stretch } from '../tables/index.ts';
import type { GrowthBin } from './exponent.ts';
import { costOf, fitGrowth, type Fit } from './fit.ts';

/** A series of times, and how the time from one to the next grows along it. */
export interface Growth {
  readonly count: number;
  readonly ts: number;
  readonly dur: number;
  readonly fit: Fit;
  /** Time beyond what all would have taken at the first one's cost. */
  readonly beyond_ns: number;
  readonly bins: readonly GrowthBin[];
}

/** Shorter series tell nothing of growth. */
const LEAST_COUNT = 64;
const MOST_BINS = 48;
const LEAST_IN_BIN = 8;

/**
 * How the time from one to the next grows along a series of times, in order. Only those in the range are looked at; how many
 * there were before counts from the series' start. Null for a series that is too short.
 */
export function growthOf(times: Float64Array, { start, end }: Stretch): Growth | null {
  const first = d3.bisectLeft(times, start);
  const last = d3.bisectLeft(times, end);
  const count = last - first;
  if (count < LEAST_COUNT) return null;
  const gaps = count - 1;
  const binCount = Math.min(MOST_BINS, Math.floor(gaps / LEAST_IN_BIN));
  const edges = Array.from({ length: binCount + 1 }, (_, bin) => Math.round((bin * gaps) / binCount));
  const bins = edges.slice(1).map((to, bin) => binOf(times, first, edges[bin] ?? 0, to));
  const fit = fitGrowth(bins);
  const beyond = (bin: GrowthBin, at: number) =>
    ((edges[at + 1] ?? 0) - (edges[at] ?? 0)) * (costOf(fit, bin.n) - fit.first_ns);
  const ts = times[first] ?? start;
  return {
    count,
    ts,
    dur: (times[last - 1] ?? ts) - ts,
    fit,
    beyond_ns: Math.round(bins.reduce((sum, bin, at) => sum + beyond(bin, at), 0)),
    bins,
  };
}

/** The stretch from gap `from` up to gap `to`; gap 0 follows the time at `first`. A pause moves the middle little. */
function binOf(times: Float64Array, first: number, from: number, to: number): GrowthBin {
  const costs = new Float64Array(to - from);
  for (let at = 0; at < costs.length; at++) {
    const index = first + from + at;
    costs[at] = (times[index + 1] ?? 0) - (times[index] ?? 0);
  }
  costs.sort();
  const part = (share: number) => costs[Math.floor((costs.length - 1) * share)] ?? 0;
  return {
    n: first + (from + to + 1) / 2,
    cost_ns: part(0.5),
    low_ns: part(0.25),
    high_ns: part(0.75),
  };
}
