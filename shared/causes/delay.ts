import type { Owner } from './owner.ts';

/** A thread, and the stretch of time in which somebody waited for it, in ns on the trace clock; `te` is outside. */
export interface Delay {
  readonly utid: number;
  readonly ts: number;
  readonly te: number;
}

/** A stretch of a delay with one owner. */
export interface Part extends Delay {
  /** The thread that ran, was ready, or was blocked with no thread behind. */
  readonly utid: number;
  /** How many wakes lie between this thread and the thread of the delay; 0 is that thread itself. */
  readonly depth: number;
  readonly owner: Owner;
  /** The CPU that it ran on; null where it did not run. */
  readonly cpu: number | null;
  /** The file, the driver, or what else is known; null where nothing is. */
  readonly detail: string | null;
}

/** A stretch of a delay in which a thread was blocked until another thread woke it: what that one did is told by parts. */
export interface Block extends Delay {
  readonly depth: number;
  /** The thread that ended it. */
  readonly waker_utid: number;
  /** When it was woken; after `te` where the delay ends before. */
  readonly wake_ts: number;
  /** Why it had blocked (`KWAIT_REASON`); null where that was not recorded. */
  readonly wait_reason: string | null;
}

/** Where all of a delay went. */
export interface Partition {
  readonly delay: Delay;
  /** In the order of time: each begins where the one before ends, the first with the delay; the last ends with it. */
  readonly parts: readonly Part[];
  /** In the order of their ends, the last first; nested ones after those that they lie in. */
  readonly blocks: readonly Block[];
}
