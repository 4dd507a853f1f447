import type { Known } from '../../shared/recording/index.ts';
import type { NamedProcess, OwnedThread } from '../../shared/threads/index.ts';

/** The first time that a thread of a frozen process was readied. */
export interface FirstReadied {
  readonly ts: number;
  readonly by: OwnedThread | 'a DPC';
  readonly thread: OwnedThread;
}

/** The first run of a thread of a process after its thaw. */
export interface FirstRun {
  readonly ts: number;
  /** How long after the thaw that was. */
  readonly after_ns: number;
  readonly thread: OwnedThread;
}

/** A span in which a process was frozen, as far as it lies in the trace. */
export interface Freeze extends NamedProcess {
  readonly ts: number;
  readonly dur: number;
  readonly pid: number;
  /** `unknown`: it was frozen some time after it was created, and that was not recorded. */
  readonly start: 'recorded' | 'before_trace' | 'unknown';
  readonly end: 'thawed' | 'exited' | 'trace_end';
  /** Null where that was not recorded. */
  readonly frozen_by: OwnedThread | null;
  /** How many of its threads were readied while it was frozen; null if readying was not recorded. */
  readonly readied_threads: number | null;
  readonly first_readied: FirstReadied | null;
  /** CPU time that its threads got while it was frozen; null if context switches were not recorded. */
  readonly ran_ns: number | null;
  /** Null where it was not thawed, or did not run between the thaw and its next freeze or the trace's end. */
  readonly first_run: FirstRun | null;
}

/** A process that was frozen in the range. */
export interface FrozenLane extends NamedProcess {
  readonly pid: number;
  /** How long it was frozen in the range. */
  readonly frozen_ns: number;
  /** In the order of time. */
  readonly freezes: readonly Freeze[];
}

/** All that the view draws. */
export interface FrozenProcessesModel extends Known {
  /** How many freezes there are in the range; those in the lanes may be fewer: the longest. */
  readonly freeze_count: number;
  /** Longest frozen first. */
  readonly lanes: readonly FrozenLane[];
}

/** All freezes of the lanes in the order of time. */
export function freezesOf({ lanes }: FrozenProcessesModel): readonly Freeze[] {
  return lanes.flatMap(({ freezes }) => freezes).sort((a, b) => a.ts - b.ts || a.pid - b.pid);
}
