import type { Owner } from '../../shared/causes/index.ts';
import type { Known } from '../../shared/recording/index.ts';
import type { OwnedThread } from '../../shared/threads/index.ts';

/** A thread, by keys that stay the same wherever the trace is loaded. */
export interface ExplainThread extends OwnedThread<number> {
  /** Its handle, such as `t-4`. */
  readonly handle: string;
}

/** The time of the delay that one thread owns in one way. */
export interface OwnerRow {
  readonly thread: ExplainThread;
  readonly owner: Owner;
  readonly sum_ns: number;
  /** As a part of the delay, 0 to 1. */
  readonly share: number;
  readonly parts: number;
  readonly longest_ns: number;
  readonly longest_ts: number;
  readonly detail: string | null;
}

/** A part of the delay. */
export interface PartRow {
  readonly ts: number;
  readonly dur: number;
  /** An index into `threads`. */
  readonly thread: number;
  /** Wakes between it and the delayed thread. */
  readonly depth: number;
  readonly owner: Owner;
  readonly cpu: number | null;
  readonly detail: string | null;
}

/** A stretch in which a thread was blocked until another one woke it. */
export interface BlockRow {
  readonly ts: number;
  readonly dur: number;
  /** Indexes into `threads`. */
  readonly thread: number;
  readonly waker: number;
  readonly wake_ts: number;
  readonly wait_reason: string | null;
}

/** A delay, divided. */
export interface ExplainedDelay {
  readonly thread: ExplainThread;
  readonly ts: number;
  readonly dur: number;
  readonly sentence: string;
  /** Most time first; they sum to `dur`. */
  readonly owners: readonly OwnerRow[];
  /** In the order of time; they sum to `dur`. */
  readonly parts: readonly PartRow[];
  readonly blocks: readonly BlockRow[];
  /** The delayed thread first, then by when the walk back came to them. */
  readonly threads: readonly ExplainThread[];
}

/** All that the view draws. */
export interface ExplainModel extends Known {
  readonly delay: ExplainedDelay | null;
  /** Why there is no delay to explain; null where there is one. */
  readonly nothing: string | null;
}
