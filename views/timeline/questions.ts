import type { ViewTable } from '../../shared/view/index.ts';

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
  | { readonly kind: 'pixels'; readonly zoom: Zoom; readonly tracks: readonly string[] }
  /** What a track shows at a time. */
  | { readonly kind: 'at'; readonly track: string; readonly ts: number }
  /** Of the threads that a thread woke within a time, what the one did that was then ready longest. */
  | { readonly kind: 'woken'; readonly utid: number; readonly start: number; readonly end: number }
  /** What a range holds, in tables. */
  | {
      readonly kind: 'sums';
      readonly start: number;
      readonly end: number;
      readonly tracks: readonly string[];
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
}

/** One fact of a stretch, in words. */
export type Fact = readonly [name: string, value: string];

/** The answer to `at` and `woken`: a stretch in which one thing held. */
export interface Stretch {
  readonly track: string;
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
}

/** The answer to `sums`. */
export type SumsAnswer = readonly ViewTable[];
