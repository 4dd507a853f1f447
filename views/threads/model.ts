import type { Known } from '../../shared/recording/index.ts';

/** How the cost of one grows with how many there were before it. */
export type Order = 'O(1)' | 'O(n)' | 'O(n²)';

/** What is made or ends, one after the other. */
export type What = 'threads' | 'processes' | 'exits';

/** Creations that follow one another, in a stretch of the series. */
export interface GrowthBin {
  /** How many there were before, in the middle of the stretch. */
  readonly n: number;
  /** Time from one to the next: the middle one, and the quarters below and above. */
  readonly cost_ns: number;
  readonly low_ns: number;
  readonly high_ns: number;
}

/** A power of the count. */
export interface Exponent {
  readonly value: number;
  /** The interval that holds the true one in 95 % of cases. */
  readonly low: number;
  readonly high: number;
  /** The part of the variance of the costs' logarithms that the power explains, 0 to 1. */
  readonly r2: number;
}

/** The curve that fits the cost of one best: `base_ns + slope_ns · n^power`. */
export interface Fit {
  readonly order: Order;
  /** What the cost grows with over what was measured; where its interval holds 0, the order is O(1). */
  readonly exponent: Exponent;
  readonly base_ns: number;
  readonly slope_ns: number;
  readonly power: 0 | 1 | 2;
  /** The curve's value at the first stretch and at the last. */
  readonly first_ns: number;
  readonly last_ns: number;
}

/** A series of creations or ends, and how their cost grows. */
export interface Growth {
  readonly what: What;
  /** The process whose threads they are, or that made them; null for ends of processes. */
  readonly pid: number | null;
  readonly process: string | null;
  readonly count: number;
  readonly ts: number;
  readonly dur: number;
  readonly fit: Fit;
  /** Time beyond what all would have taken at the first one's cost. */
  readonly beyond_ns: number;
  readonly bins: readonly GrowthBin[];
}

/** The threads of a process, in the range. */
export interface ProcessThreads {
  readonly pid: number;
  readonly process: string;
  readonly created: number;
  readonly ended: number;
  /** Live threads: where the range begins and ends, and at most. */
  readonly at_start: number;
  readonly at_end: number;
  readonly most: number;
  /** Open handles when they were last counted, and opened less closed; null where that was not recorded. */
  readonly handles: number | null;
  readonly handle_change: number | null;
}

/** Live threads over time: a value for the start of each step, and one for the end of the last. */
export interface LiveLine {
  readonly label: string;
  readonly pid: number;
  readonly live: readonly number[];
}

/** All that the view draws. */
export interface ThreadsModel extends Known {
  readonly steps: { readonly ts: number; readonly dur: number; readonly count: number };
  readonly lines: readonly LiveLine[];
  /** Creations and ends of threads in each step, all processes together. */
  readonly created: readonly number[];
  readonly ended: readonly number[];
  /** Most live threads first. */
  readonly processes: readonly ProcessThreads[];
  /** Those that lost most first. */
  readonly growths: readonly Growth[];
  /** Which of them is drawn. */
  readonly chosen: number | null;
}
