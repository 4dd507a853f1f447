import type { Known } from '../../shared/recording/index.ts';

/** A moment at which waiting ended: threads that had waited were switched in. */
export interface Moment {
  readonly ts: number;
  readonly dur: number;
  /** The waiting that ended, blocked and ready until the switch-in, all threads together. */
  readonly waited_sum_ns: number;
  readonly waited_max_ns: number;
  /** True where a wait began before the trace: the waiting was longer than is known. */
  readonly at_least: boolean;
  readonly threads: number;
  readonly processes: number;
  /** The thread whose wakes ended most of it: `svchost.exe Winmgmt (tid 20)`, or `a DPC`, or `preempted threads`. */
  readonly released_by: string;
  /** How much of the waiting that one ended. */
  readonly released_sum_ns: number;
  /** Who began it: the first in the chain of wakes to `released_by` that had not itself just waited for longer. */
  readonly begun_by: string;
  /** The run to look at forward from here: a time at which it began, and its thread; null where that is not known. */
  readonly run_ts: number | null;
  readonly run_tid: number | null;
  readonly run_pid: number | null;
}

/** The most waiting that ended in a moment within a step of time. */
export interface StepPeak {
  readonly ts: number;
  readonly dur: number;
  readonly waited_sum_ns: number;
  readonly at_least: boolean;
}

/** All that the view draws. */
export interface ReleaseMomentsModel extends Known {
  readonly bucket_ns: number;
  /** Waits that were both blocked and ready for less are left out. */
  readonly at_least_ns: number;
  /** Waits that are counted, and moments in which they ended. */
  readonly waits: number;
  readonly moment_count: number;
  /** Most waiting first. */
  readonly moments: readonly Moment[];
  readonly peaks: readonly StepPeak[];
}
