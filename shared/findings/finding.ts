import type { Cell } from '../engine/index.ts';
import type { Selection, TimeRange } from '../view/index.ts';

/** Where in the trace a finding is, by keys that stay the same wherever the trace is loaded. */
export interface FindingPlace {
  readonly span: TimeRange;
  readonly tid: number | null;
  readonly thread: string | null;
  /** The service that the thread works for, else those of its process. */
  readonly service: string | null;
  readonly pid: number | null;
  readonly process: string | null;
  /** The services that the process hosts, with commas between. */
  readonly services: string | null;
}

/** What shows that a finding is true: a view, what it is to show, and what is chosen in it. */
export interface Proof {
  readonly view: string;
  readonly params: Readonly<Record<string, Cell>>;
  readonly range: TimeRange;
  readonly selection: Selection;
}

/** One thing that a rule found. */
export interface Finding {
  /** The rule's id. */
  readonly rule: string;
  readonly title: string;
  /** Seconds that the user lost by it, at most; what is counted is the rule's `lost`. */
  readonly seconds_lost: number;
  readonly where: FindingPlace;
  readonly sentence: string;
  readonly proof: Proof;
}

/** A rule that ran. */
export interface CheckedRule {
  readonly id: string;
  readonly title: string;
  readonly means: string;
  readonly matters: string;
  /** The bound as the rule writes it, such as `100 ms`. */
  readonly threshold: string;
  /** Where the bound comes from. */
  readonly source: string;
  /** What its seconds lost count. */
  readonly lost: string;
  readonly found: number;
  /** True where it found more than is listed. */
  readonly more: boolean;
}

/** A rule whose events are not in the trace. */
export interface UncheckedRule {
  readonly id: string;
  readonly title: string;
  /** What the trace would have to hold, and which flag or provider records it. */
  readonly needs: readonly string[];
}

/** A rule file that is wrong; the message names the file and the place. */
export interface FailedRule {
  readonly id: string;
  readonly message: string;
}

/** A thread or a process, by keys that stay the same wherever the trace is loaded. */
export type Culprit = Omit<FindingPlace, 'span'>;

/** A finding with the findings that it explains. */
export interface Story {
  /** The place of the finding in `findings`. */
  readonly finding: number;
  /** What happened; its first sentence names the culprit. */
  readonly sentence: string;
  /** The thread or the process that made the others wait; null where none is known. */
  readonly culprit: Culprit | null;
  /** The places in `findings` of what it explains. */
  readonly explains: readonly number[];
  readonly rests_on: readonly string[];
  readonly not_said: readonly string[];
  /** What is not in the trace and would tell more: how it is recorded, and what it would tell. */
  readonly would_decide: readonly string[];
}

/** Findings, and the same as stories: each finding is in one. */
export interface ToldFindings extends Findings {
  /** By seconds lost, most first. */
  readonly stories: readonly Story[];
}

/** What all rules together say of a trace. */
export interface Findings {
  /** By seconds lost, most first. */
  readonly findings: readonly Finding[];
  readonly checked: readonly CheckedRule[];
  readonly not_checked: readonly UncheckedRule[];
  readonly failed: readonly FailedRule[];
}
