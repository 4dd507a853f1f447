import type { Step, Wanted } from './protocol.ts';

/** One load of a model. */
export interface ModelCall {
  /** Ends what is asked of the trace for it. */
  readonly signal?: AbortSignal | undefined;
  /** Is told the SQL that is asked of the trace: before its params were bound, and with these. */
  readonly onAsked?: ((statement: string, sql: string) => void) | undefined;
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
