import type { Known } from '../../shared/recording/index.ts';
import type { OwnedThread } from '../../shared/threads/index.ts';
import type { Grouping } from './params.ts';

/** A rate of context switches that somebody measured machines by. */
export interface Threshold {
  /** Context switches per second, all CPUs together. */
  readonly per_s: number;
  readonly means: string;
  readonly source: string;
}

/** Context switches of one group over the whole range. What does not tell it from other groups is null. */
export interface SwitchGroup extends OwnedThread {
  readonly label: string;
  readonly cpu: number | null;
  /** Switches to its threads; of a CPU, to any thread, the idle thread too. */
  readonly switches: number;
  readonly per_s: number;
  /** Part of all switches, those to the idle thread too. */
  readonly share: number;
  /** CPU time that it had for each switch; null for a CPU. */
  readonly run_ns: number | null;
  /** Part of its samples in the kernel, DPCs and ISRs included; null without samples. */
  readonly kernel: number | null;
}

/** One line of the chart. */
export interface SwitchSeries {
  readonly label: string;
  /** Context switches in each bucket. */
  readonly switches: readonly number[];
}

/** A thread of a pair. */
export interface PairThread {
  readonly label: string;
  readonly tid: number | null;
}

/** Two threads that take turns: on one CPU, or by waking one another. */
export interface SwitchPair {
  readonly a: PairThread;
  readonly b: PairThread;
  /** Switches from `a` to `b` with no thread between them on the CPU, and back. */
  readonly switches_there: number;
  readonly switches_back: number;
  /** How often `a` made `b` ready, and back. */
  readonly wakes_there: number;
  readonly wakes_back: number;
  /** Wakes or switches, both ways, whichever are more, per second. */
  readonly per_s: number;
}

/** What takes longer than a first picture may. */
export interface Pairs {
  /** Those with most wakes or switches first. */
  readonly pairs: readonly SwitchPair[];
  /** How many were found in all. */
  readonly pair_count: number;
  /** 1: every switch was looked at. Else one in so many, evenly over the range, and counts are estimates. */
  readonly one_in: number;
}

/** All that the view draws. */
export interface SwitchesModel extends Known {
  readonly dur_ns: number;
  readonly by: Grouping;
  readonly thresholds: readonly Threshold[];
  /** The bounds of the buckets of time, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  /** Context switches of all CPUs in each bucket, those to the idle thread included. */
  readonly switches: readonly number[];
  /** Those to the idle thread. */
  readonly to_idle: readonly number[];
  /** The largest groups. */
  readonly series: readonly SwitchSeries[];
  /** Part of what all CPUs could have run that was kernel time, by samples; null without samples. */
  readonly kernel: number | null;
  /** Most switches first, at most 500. */
  readonly groups: readonly SwitchGroup[];
  readonly group_count: number;
  /** Null until it is known. */
  readonly pairs: Pairs | null;
}
