import type { Known } from '../../shared/recording/index.ts';
import { processLabel } from '../../shared/threads/index.ts';

/** What the last thread of an exiting process waited for longest. */
export interface ExitWait {
  readonly ts: number;
  readonly dur: number;
  /** Why, such as `WrResource`; null where that is not known. */
  readonly reason: string | null;
  /** Who made it ready: `a.exe (tid 20)`, or `a DPC`. */
  readonly let_go_by: string;
  /** The exiting process that was before it in the queue: `a.exe (pid 16)`; null if it did not wait for one. */
  readonly before: string | null;
}

/** How a process ended. */
export interface Exit {
  /** When the exit began. */
  readonly ts: number;
  /** From then until the process was gone. */
  readonly dur: number;
  readonly begun_by: string;
  /** The thread that cleaned up, and when it had ended; null where no end of a thread was recorded. */
  readonly tid: number | null;
  readonly last_thread_ts: number | null;
  /** Null where it did not wait, and as long as the waits are not loaded. */
  readonly wait: ExitWait | null;
}

/** A process, as far as the trace tells. */
export interface ProcessLife {
  readonly pid: number;
  readonly name: string;
  /** How deep it stands in the tree: 0 for one whose parent is not in the trace. */
  readonly depth: number;
  readonly parent_pid: number | null;
  /** Name of its parent; null if that had ended before the trace. */
  readonly parent: string | null;
  readonly command_line: string | null;
  readonly session: number | null;
  readonly services: string | null;
  readonly package: string | null;
  /** Null where that was before the trace. */
  readonly create_ts: number | null;
  /** Null where it did not end within the trace. */
  readonly exit_ts: number | null;
  readonly exit_code: number | null;
  /** How many threads it ever had; null where the trace has none at all. */
  readonly threads: number | null;
  readonly exit: Exit | null;
}

/** How many processes came and went in a step of time. */
export interface RateStep {
  readonly ts: number;
  readonly dur: number;
  readonly created: number;
  readonly ended: number;
  /** Exits that were under way at once, at most. */
  readonly exiting: number;
}

/** Exits that waited for one another. */
export interface ExitQueue {
  /** From when the first of them began to wait. */
  readonly ts: number;
  /** Until the last was gone. */
  readonly dur: number;
  /** How many were let go by the one before. */
  readonly exits: number;
  /** What one of them took, of the whole. */
  readonly per_exit_ns: number;
  /** Exits under way at once, at most. */
  readonly exiting: number;
  /** Why most of them waited, and how many that were; null where no reason is known. */
  readonly reason: string | null;
  readonly reason_exits: number;
}

/** A thread that was not ending, and waited for a process that was. */
export interface Waiter {
  readonly thread: string;
  readonly tid: number;
  readonly waits: number;
  /** When its longest wait began, and how long that was. */
  readonly ts: number;
  readonly longest_ns: number;
  readonly reason: string | null;
}

/** All that the view draws. */
export interface ProcessesModel extends Known {
  readonly end_ns: number;
  /** How many there are, whatever is asked for. */
  readonly all: number;
  /** Those that are asked for and lived in the range, parents before children. */
  readonly processes: readonly ProcessLife[];
  readonly steps: readonly RateStep[];
  /** False until the waits of exits are loaded. */
  readonly has_waits: boolean;
  readonly queues: readonly ExitQueue[];
  readonly waiters: readonly Waiter[];
}

/** A process in words: `wmi.exe (pid 16)`. */
export function lifeLabel({ name, pid, services }: Pick<ProcessLife, 'name' | 'pid' | 'services'>): string {
  return processLabel({ process: name, pid, services });
}

/** A process with its exit. */
export type EndedProcess = ProcessLife & { readonly exit: Exit };

/** The exits that are listed, those that took longest first. */
export function exitsOf({ processes }: ProcessesModel): readonly EndedProcess[] {
  return processes
    .filter((process): process is EndedProcess => process.exit !== null)
    .sort((a, b) => b.exit.dur - a.exit.dur || a.exit.ts - b.exit.ts);
}
