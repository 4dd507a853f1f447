import type { Known } from '../../shared/recording/index.ts';
import type { OwnedThread } from '../../shared/threads/index.ts';
import type { Grouping } from './params.ts';

/** CPU time of one group over the whole range. What does not tell it from other groups is null. */
export interface CpuGroup extends OwnedThread {
  readonly label: string;
  /** By thread: an instant at which this incarnation of the id was alive. */
  readonly alive_ts: number | null;
  readonly rank: number | null;
  readonly priority: number | null;
  readonly ran_ns: number;
  /** Part of what all CPUs could have run in the range, 0 to 1. */
  readonly share: number;
  /** What each hardware counter counted meanwhile; null where that was not recorded. */
  readonly counted: readonly (number | null)[];
}

/** CPU time of one rank and priority. */
export interface RankPriorityUsage {
  /** Null: not recorded. */
  readonly rank: number | null;
  readonly priority: number;
  readonly ran_ns: number;
  readonly share: number;
}

/** One area of the stack. */
export interface CpuSeries {
  readonly label: string;
  /** True for the groups that are not drawn by themselves. */
  readonly other: boolean;
  /** CPU time in each bucket. */
  readonly ran_ns: readonly number[];
}

/** CPU time over the range. The parts add up to `capacity_ns`: the number of CPUs times the length. */
export interface CpuTotals {
  readonly capacity_ns: number;
  readonly shown_ns: number;
  /** What ran at a hidden rank or priority. */
  readonly hidden_ns: number;
  readonly idle_ns: number;
  /** What was not recorded: gaps, and time before the first and after the last switch of a CPU. */
  readonly unknown_ns: number;
}

/** All that the view draws. */
export interface CpuUsageModel extends Known {
  readonly cpu_count: number;
  readonly by: Grouping;
  /** The bounds of the buckets of time, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  /** From the lowest in the stack to the highest. For each bucket, series, hidden, idle and unknown add up. */
  readonly series: readonly CpuSeries[];
  readonly hidden_ns: readonly number[];
  readonly idle_ns: readonly number[];
  readonly unknown_ns: readonly number[];
  readonly totals: CpuTotals;
  /** What the hardware counters count; none where no counters were recorded. */
  readonly counters: readonly string[];
  /** All groups, most CPU time first. */
  readonly groups: readonly CpuGroup[];
  /** Best rank first, then highest priority. */
  readonly by_rank_and_priority: readonly RankPriorityUsage[];
}
