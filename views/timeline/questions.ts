import type { ViewTable } from '../../shared/view/index.ts';
import type { CpuShade } from '../../shared/timeline/index.ts';
import type { FlameNode } from '../kit/index.ts';

/** A part of the trace at one zoom. */
export interface Zoom {
  /** The time of the left edge of the first pixel, and how long a pixel is, in ns. */
  readonly start: number;
  readonly pixel_ns: number;
  readonly pixels: number;
}

/** What the drawn view asks, while the user looks at it. */
export type Question =
  /** Tracks as pixels. */
  | {
      readonly kind: 'pixels';
      readonly zoom: Zoom;
      readonly tracks: readonly string[];
      /** Whether ready threads have the colours of the causes. */
      readonly judged: boolean;
      /** What the lines in the lanes of threads tell; null for no lines. */
      readonly line: CpuShade | null;
    }
  /** What a track shows at a time, or where nothing lasts, so many ns around it. */
  | { readonly kind: 'at'; readonly track: string; readonly ts: number; readonly px_ns: number }
  /** What a track that has gaps shows next, after a time or before it. */
  | { readonly kind: 'next'; readonly track: string; readonly ts: number; readonly step: -1 | 1 }
  /** What the thread of an id did in a span: at its beginning, or in its middle where that lasted longer. */
  | { readonly kind: 'thread'; readonly tid: number; readonly start: number; readonly end: number }
  /** Whom a thread woke within a time. */
  | { readonly kind: 'wakes'; readonly utid: number; readonly start: number; readonly end: number }
  /** Of the threads that a thread woke in its run at a time, or its next, what the one did that was then ready longest. */
  | { readonly kind: 'woken'; readonly utid: number; readonly ts: number }
  /** What a range holds: in tables, or the stacks of its samples. */
  | {
      readonly kind: 'sums' | 'flame';
      readonly start: number;
      readonly end: number;
      readonly tracks: readonly string[];
      /** Whether the tables tell the causes, as the drawn tracks do. */
      readonly judged: boolean;
    };

/** A stretch that is wide enough for words. */
export interface WideBar {
  /** Which of the tracks that were asked for. */
  readonly track: number;
  readonly ts: number;
  readonly te: number;
  /** The longest first; what fits is written. */
  readonly texts: readonly string[];
}

/** The answer to `pixels`. */
export interface PixelsAnswer {
  readonly zoom: Zoom;
  readonly tracks: readonly string[];
  /** The classes of all rows of the first track, then of the second, and so on. */
  readonly cells: Uint8Array;
  readonly bars: readonly WideBar[];
  /** Of each track that has a line its lowest and highest value in each pixel, as `linePixels` gives them; else null. */
  readonly lines: readonly (Uint8Array | null)[];
  /** The numbers of lines where these are wide. */
  readonly numbers: readonly WideBar[];
}

/** One fact of a stretch, in words. */
export type Fact = readonly [name: string, value: string];

/** The view that knows more of a stretch, and what it is asked there. */
export interface StretchOpen {
  readonly title: string;
  readonly view: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The answer to `at`, `next`, `thread` and `woken`: a stretch in which one thing held. */
export interface Stretch {
  readonly track: string;
  /** Other tracks that show it: of a run those of its thread and its CPU. */
  readonly also: readonly string[];
  readonly ts: number;
  readonly te: number;
  /** In a few words, such as `ready: rank`. */
  readonly title: string;
  /** The thread that it is of; null for the idle thread and where nothing is known. */
  readonly thread: { readonly utid: number; readonly tid: number; readonly label: string } | null;
  readonly pid: number | null;
  readonly facts: readonly Fact[];
  /** A wake that began or led to it. */
  readonly wake: {
    readonly ts: number;
    readonly waker_utid: number;
    readonly waker_label: string;
  } | null;
  /** Absent where a thread says which views know more, or nothing does. */
  readonly open?: StretchOpen;
}

/** The answer to `wakes`: how many wakes there were, of how many threads, and the first of them. */
export interface WokenAnswer {
  readonly count: number;
  readonly threads: number;
  readonly wakes: readonly { readonly ts: number; readonly utid: number }[];
}

/** The answer to `flame`: how many samples there are, and their stacks; null without any. */
export type FlameAnswer = {
  readonly samples: number;
  /** CPU time that they stand for; 0 where no interval was recorded. */
  readonly weight_ns: number;
  readonly root: FlameNode;
} | null;

/** The answer to `sums`. */
export type SumsAnswer = readonly ViewTable[];
