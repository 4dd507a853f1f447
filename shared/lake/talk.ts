import * as v from 'valibot';
import type { PanelModel } from '../panel/index.ts';
import type { ParamSpecs } from '../view/index.ts';
import { lakeFilter } from './filter.ts';

/** A ready question. */
export interface LakeQuestion {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly params: ParamSpecs;
}

/** A value by which traces can be told apart, and how many traces have it. */
export interface LakeValue<T> {
  readonly value: T;
  readonly traces: number;
}

/** What is in a lake, and what can be asked of it. */
export interface LakeAbout {
  readonly traces: number;
  /** Traces that lost events. */
  readonly lossy: number;
  /** What of the lake cannot be read, in words. */
  readonly problems: readonly string[];
  readonly questions: readonly LakeQuestion[];
  /** The most frequent values first. */
  readonly machines: readonly (LakeValue<string> & { readonly model: string | null })[];
  readonly models: readonly LakeValue<string>[];
  readonly os_builds: readonly LakeValue<number>[];
  /** By name of the tag. */
  readonly tags: Readonly<Record<string, readonly LakeValue<string>[]>>;
  /** The first and the last day of recording in UTC; null where no trace tells. */
  readonly from: string | null;
  readonly to: string | null;
}

/** What a server says about its lake, and the address of a trace there: `{id}` stands for the trace's id. */
export interface ServedLake extends LakeAbout {
  readonly trace_address: string;
}

/** A question as a page asks it. */
export const lakeAsk = v.strictObject({
  question: v.pipe(v.string(), v.maxLength(100)),
  params: v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])),
  filter: lakeFilter,
});

/** See {@link lakeAsk}. */
export type LakeAsk = v.InferOutput<typeof lakeAsk>;

/** A trace to look at, and where. */
export interface LakeExample {
  readonly trace: string;
  readonly name: string;
  /** From the start of the recording, in ns; null for all of it. */
  readonly at_ns: number | null;
  /** The same on the trace clock, in ns. */
  readonly ts: number | null;
  /** The thread that is meant; null where none is. */
  readonly tid: number | null;
  /** A link that `outrank open` and the window take. */
  readonly link: string;
}

/** What a lake answers to a question. */
export interface LakeAnswer {
  /** The rows, to be drawn; without the columns that name examples. */
  readonly model: PanelModel;
  /** Of each row. */
  readonly examples: readonly (readonly LakeExample[])[];
  /** Traces that were asked, and those of them that lost events. */
  readonly traces: number;
  readonly lossy: number;
}

/** Who answers for a lake. What its asker can mend is refused with a {@link LakeRefusal}. */
export interface LakeDesk {
  about(): Promise<LakeAbout>;
  ask(asked: LakeAsk): Promise<LakeAnswer>;
}

/** A lake does not answer; the message says why, for its asker. */
export class LakeRefusal extends Error {
  override readonly name = 'LakeRefusal';
}
