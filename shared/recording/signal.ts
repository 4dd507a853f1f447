import type { EventPattern, KernelFlagName } from './kernel-flags.ts';

/** How a signal is recorded. */
export type Recipe =
  | {
      /** Flags of the kernel session. */
      readonly flags: readonly KernelFlagName[];
      /** A flag that must be off. */
      readonly without?: KernelFlagName;
      /** Events whose stacks are recorded, as xperf's `-stackwalk` and a WPR profile name them. */
      readonly stacks?: readonly { readonly xperf: string; readonly wpr: string }[];
      /** What in WPR records it: a profile that comes with it, or a keyword. */
      readonly wpr: string;
    }
  | {
      readonly provider: string;
      /** The bits of the provider's keyword, as hexadecimal digits; absent for all of them. */
      readonly keyword?: bigint;
      /** What the provider's manifest calls the keyword. */
      readonly keyword_name?: string;
    }
  | {
      /** What gives it to a trace that is recorded already, as a noun. */
      readonly from: string;
    }
  | {
      /** Anything else, as a noun. */
      readonly by: string;
    };

/** Where the engine has a signal: rows of a table that pass a condition. */
export interface Evidence {
  readonly table: string;
  /** An SQL condition on the table's columns; every row passes if it is absent. */
  readonly where?: string;
}

/** A view that shows a kind of events first, by its id and its title. */
export interface ShownBy {
  readonly view: string;
  readonly shown_by: string;
}

/** Something that a trace can tell, if it was recorded. */
export interface Signal {
  /** As `@needs` names it. */
  readonly id: string;
  /** What it is called, in the plural, within a sentence. */
  readonly name: string;
  /** What it tells, as a part of a sentence. */
  readonly tells: string;
  readonly recipe: Recipe;
  /** What UIforETW must be told to record it: `always` for what it records by itself, null for what it cannot. */
  readonly uiforetw: string | null;
  /** The events that tell it; null where events alone do not. */
  readonly events: readonly EventPattern[] | null;
  readonly evidence: Evidence;
  /** True for what events of other kinds name too: there may be rows of it without events that tell it. */
  readonly is_named_elsewhere?: true;
  /** True where a recording that has none of it may be whole: nothing of the kind happened. */
  readonly may_be_none?: true;
  /** The name by which `--only` and `--skip` leave it out; absent for what is always converted. */
  readonly kind?: string;
  /** The view that a list of what was recorded leads to. */
  readonly shown?: ShownBy;
  /** The signal that this is a part of: where that one is missing, nothing is said of this one. */
  readonly part_of?: string;
  /** True for what answers special questions: lists of what is missing leave it out. */
  readonly is_special?: true;
  /** True for what fills buffers fast: a recording of everything leaves it out. */
  readonly is_heavy?: true;
}
