import type { TableInfo } from '../../../shared/tables/index.ts';
import type { TimeRange } from '../../../shared/view/index.ts';
import type { AskBytes } from './wish.ts';

/**
 * Which function of a view is to run. `later` goes on from the model that `load` gave last from the same source; `detail` loads what is
 * chosen.
 */
export const STEPS = ['load', 'later', 'detail'] as const;
export type Step = (typeof STEPS)[number];

/** What is to be loaded. */
export interface Wanted {
  readonly view: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly range: TimeRange;
  /** What the detail is of. */
  readonly chosen?: unknown;
}

/** One load of a model. */
export interface ModelCall {
  /** Ends what is asked of the trace for it. */
  readonly signal?: AbortSignal | undefined;
}

/** A trace whose models can be loaded. `M` is how a model comes: as it is, or packed. Views keep what they asked by the source. */
export interface ModelSource<M = unknown> {
  /** The model that a step of a view gives; of `later` null where it has nothing to add. What is asked is asked for the newest call. */
  load(step: Step, wanted: Wanted, call: ModelCall): Promise<M | null>;
  /** What a view answers to what it asked itself when it was drawn. */
  ask(view: string, question: unknown, call: ModelCall): Promise<M | null>;
  /** Lets go of what views have kept of it. */
  end(): void;
}

/** What of a trace is known before anything is asked of it. */
export interface TraceTables {
  /** Its tables in columns; absent where it has none. */
  readonly tables?: readonly TableInfo[] | undefined;
  /** The folder with the files of these tables, for whoever can read files; absent where only the host can. */
  readonly folder?: string | undefined;
  /** True where its symbols were loaded. */
  readonly hasSymbols?: boolean | undefined;
}

/** Makes models of traces in a worker. */
export interface ModelMaker<M = unknown> {
  /** Starts the worker, which else starts with the first model that is asked for. */
  begin(): void;
  /** A trace that is asked in this way. */
  connect(ask: AskBytes, tables: TraceTables): ModelSource<M>;
  /** Ends the worker. What is under way fails. */
  end(): void;
}
