import type { LinkState } from '../../shared/link/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';

/** A call that may follow. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What it would answer. */
  readonly why: string;
}

/** What a tool found, before texts are marked and the answer is cut to its size. */
export interface Answer {
  /** The answer in sentences, the most telling first. */
  readonly says: readonly string[];
  readonly tables: readonly ViewTable[];
  /** The most rows of a table that are wanted; absent for as many as fit. */
  readonly top?: number | undefined;
  /** What was not looked at, and why: not the rows that the size leaves out. */
  readonly left_out?: readonly string[];
  /** What the answer rests on. */
  readonly evidence?: readonly string[];
  /** What it does not say, though a reader could think so. */
  readonly not_concluded?: readonly string[];
  /** What the trace does not tell, and what would have recorded it. */
  readonly not_recorded?: readonly string[];
  readonly next?: readonly NextCall[];
  /** What a human's link shows; absent where no place is meant. */
  readonly place?: Partial<LinkState['place']>;
  readonly title?: string;
}
