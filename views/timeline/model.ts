import type { Known } from '../../shared/recording/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { TrackClass } from './classes.ts';
import type { Lines } from './lines.ts';
import type { WideBar } from './questions.ts';

/** How long threads were in each state, in ns, and how often these changed. */
export interface TrackSums {
  readonly running_ns: number;
  readonly ready_ns: number;
  readonly blocked_ns: number;
  readonly runs: number;
  readonly wakes: number;
}

/** One track: of the machine, a CPU, a process or a thread; or one that no view makes. */
export interface Track {
  /** By which the trace that is loaded knows it: m and its number for the machine, s for samples, d for disks, e and the provider for its events, c, q or r and the CPU, p and the upid, t and the utid, x and the name of an extra one. */
  readonly key: string;
  /** By which links name it: c and the CPU, p and the process id, t and the thread id. */
  readonly name: string;
  readonly kind: 'machine' | 'samples' | 'items' | 'cpu' | 'process' | 'thread' | 'extra';
  readonly label: string;
  /** In small print: ids, or how many threads. */
  readonly aside: string;
  readonly tid: number | null;
  readonly pid: number | null;
  readonly process: string | null;
  readonly sums: TrackSums;
  /** When it first ran or was ready within the range; null if it never did, and for CPUs. */
  readonly first_ts: number | null;
  readonly is_pinned: boolean;
  /** Of a process whether its threads follow. */
  readonly is_open: boolean;
  /** Whether it stands under its process. */
  readonly is_inner: boolean;
}

/** The pixels of one track. */
export interface TrackPixels {
  readonly key: string;
  /** The class of each row of each pixel, `rasterLane` says how; in pairs of a class and how many of it follow one another. */
  readonly runs: readonly number[];
  /** The lowest and the highest value of its line in each pixel, by turns; null without a line. */
  readonly line: readonly number[] | null;
  /** Words for what is wide. */
  readonly bars: readonly WideBar[];
}

/** What is drawn. */
export interface TimelineModel extends Known {
  readonly range: TimeRange;
  readonly cpu_count: number;
  /** Longest ready waits whose cause was judged; null before that. */
  readonly judged: number | null;
  readonly tracks: readonly Track[];
  readonly cpu_classes: readonly TrackClass[];
  /** The lines in the lanes of threads; null without. */
  readonly lines: Lines | null;
  /** How long all threads were in each class of the states of threads, in ns. */
  readonly class_ns: readonly number[];
  /** What a still picture shows: the first tracks, in so many pixels. */
  readonly still: { readonly pixels: number; readonly tracks: readonly TrackPixels[] };
  readonly notes: readonly string[];
}
