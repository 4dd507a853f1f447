import type { Growth } from '../../shared/growth/index.ts';
import type { Known } from '../../shared/recording/index.ts';
import type { NamedProcess, Steps } from '../../shared/threads/index.ts';

/** What is made or ends, one after the other. */
export type What = 'threads' | 'processes' | 'exits';

/** A series of creations or ends, and how their cost grows. */
export interface SeriesGrowth extends Growth, NamedProcess {
  readonly what: What;
  /** That of the process whose threads they are, or that made them; null for ends of processes. */
  readonly pid: number | null;
}

/** The threads of a process, in the range. */
export interface ProcessThreads extends NamedProcess {
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
  readonly steps: Steps;
  readonly lines: readonly LiveLine[];
  /** Creations and ends of threads in each step, all processes together. */
  readonly created: readonly number[];
  readonly ended: readonly number[];
  /** Most live threads first. */
  readonly processes: readonly ProcessThreads[];
  /** Those that lost most first. */
  readonly growths: readonly SeriesGrowth[];
  /** Which of them is drawn. */
  readonly chosen: number | null;
}
