import type { Known } from '../../shared/recording/index.ts';

/** A stack that recurs in a thread's samples, be it at other instructions of the same functions or pages. */
export interface RecurringStack {
  readonly samples: number;
  /** Its frames as most of these samples have them, the innermost first. */
  readonly frames: readonly string[];
}

/** CPU time of one thread since the trace's start. */
export interface ThreadTime {
  readonly label: string;
  readonly tid: number | null;
  /** From the context switches, where these were recorded; else from the samples. */
  readonly ran_ns: number;
  /** Samples of the thread itself: what DPCs and ISRs took is left out. */
  readonly samples: number;
  /** Parts of these samples; null without any. */
  readonly user: number | null;
  readonly kernel: number | null;
  /** The stack that most of its samples have; null without samples. */
  readonly stack: RecurringStack | null;
  /** What each hardware counter counted while it ran; null where that was not recorded. */
  readonly counted: readonly (number | null)[];
}

/** How the CPU time of a thread grew. */
export interface ThreadLine {
  readonly label: string;
  /** Times that rise, and the CPU time that the thread had used by each, in ns. */
  readonly ts: readonly number[];
  readonly ran_ns: readonly number[];
}

/** All that the view draws. */
export interface RunawayModel extends Known {
  /** True where CPU time is exact; else it is samples × interval. */
  readonly exact: boolean;
  /** What the hardware counters count; none where no counters were recorded. */
  readonly counters: readonly string[];
  /** Most CPU time first. */
  readonly threads: readonly ThreadTime[];
  /** How many ran in all. */
  readonly thread_count: number;
  /** Of the first threads. */
  readonly lines: readonly ThreadLine[];
}
