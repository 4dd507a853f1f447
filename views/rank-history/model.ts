import type { Known } from '../../shared/recording/index.ts';
import type { OwnedThread } from '../../shared/threads/index.ts';

/** A span in which a thread kept a rank, clipped to the range. */
export interface RankSpan {
  readonly ts: number;
  readonly dur: number;
  readonly rank: number;
}

/** A thread that had a rank above 0 in the range. */
export interface RankLane extends OwnedThread<number> {
  readonly spans: readonly RankSpan[];
  /** Its ready waits at a rank above 0 that are long enough to be seen. */
  readonly waits: readonly { readonly ts: number; readonly dur: number }[];
  /** The worst rank that it had. */
  readonly highest_rank: number;
  /** How long its rank was above 0. */
  readonly ranked_ns: number;
  /** CPU time of its runs at a rank above 0. */
  readonly ran_ns: number;
  /** How long it was ready, and did not run, at a rank above 0. */
  readonly ready_ns: number;
  /** The longest of these waits. */
  readonly longest_ready_ns: number;
}

/** A thread's rank became another one. */
export interface RankChange extends OwnedThread<number> {
  /** The end of the run that recorded the new rank first. */
  readonly ts: number;
  readonly from_rank: number;
  readonly to_rank: number;
  /** How long the old rank had been recorded last before `ts`: the change lies within. */
  readonly unseen_ns: number;
  /** How long the new rank was kept. */
  readonly kept_ns: number;
  /** CPU time that the thread used in the second before `ts`. */
  readonly ran_before_ns: number;
  /** How long the thread was ready, and did not run, while it kept the new rank. */
  readonly ready_ns: number;
  /** The process that had the focus at `ts`; null if none had, or that was not recorded. */
  readonly focus: string | null;
  /** How long its process was frozen while it kept the new rank; null if freezes were not recorded. */
  readonly frozen_ns: number | null;
  /** How long the machine slept while the new rank was kept, on the recording's clock; null if no sleep was recorded. */
  readonly asleep_ns: number | null;
}

/** All that the view draws. */
export interface RankHistoryModel extends Known {
  /** How many threads had a rank above 0 in the range; `lanes` may be cut shorter. */
  readonly thread_count: number;
  /** Longest at a rank above 0 first. */
  readonly lanes: readonly RankLane[];
  /** How many changes there were in the range; `changes` may be cut shorter. */
  readonly change_count: number;
  /** In the order of time. */
  readonly changes: readonly RankChange[];
}
