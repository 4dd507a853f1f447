import type { Call } from '../../shared/border/index.ts';
import type { TableInfo, TableName } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';

/**
 * Which function of a view is to run. `later` goes on from the model that `load` gave last from the same source; `detail` loads what is
 * chosen.
 */
export const STEPS = ['early', 'load', 'later', 'detail'] as const;
export type Step = (typeof STEPS)[number];

/** By this name a source measures its trace for a comparison, as views answer their questions by their ids. */
export const MEASURING = 'measuring';
/** What of a trace is measured. What it is called is no part of it: that may change. */
export interface MeasuringQuestion {
  readonly range: TimeRange;
}

/** The question of so much, always written alike: answers are kept by their questions. */
export function measuringQuestion({ range }: MeasuringQuestion): MeasuringQuestion {
  return { range: { start: range.start, end: range.end } };
}

/** By this name a source tells the anchors of its trace. */
export const ANCHORING = 'anchoring';
/** By this name a worker of the page compares what was measured. */
export const COMPARING = 'comparing';

/** By this name a source builds tables that a trace without columns lacks. */
export const BUILDING = 'building';

/** What is to be loaded. */
export interface Wanted {
  readonly view: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly range: TimeRange;
  /** What the detail is of. */
  readonly chosen?: unknown;
}

/** What is asked of a trace: SQL on all of it or on its outline, or columns of a batch of a table. */
export type Wish =
  | {
      readonly kind: 'sql';
      readonly sql: string;
      /** The SQL before params were bound. */
      readonly statement: string;
      readonly of: 'whole' | 'outline';
    }
  | {
      readonly kind: 'table';
      readonly table: TableName;
      readonly batch: number;
      readonly columns: readonly number[];
    };

/** What a worker of models answers. */
export interface ModelWorkerCalls {
  /** A trace, and its tables in columns; without these it is asked by SQL alone. `port` carries {@link SourceCalls} and {@link TraceCalls}. */
  open: Call<{ readonly port: MessagePort; readonly tables: readonly TableInfo[] | undefined }>;
}

/** What a worker answers by the port of a trace. Views keep what they asked for by the port. `M` is how the worker writes a model. */
export interface SourceCalls<M = unknown> {
  /** The model; null where `later` had nothing to add. */
  load: Call<{ readonly step: Step; readonly wanted: Wanted }, M | null>;
  /** What a drawn view asks, see `View.answer`. */
  ask: Call<{ readonly view: string; readonly question: unknown }, M | null>;
  /** Nobody loads from the trace any more. */
  end: Call<null>;
}

/** What a worker asks of a trace by the port of the trace; the answer's own bytes. */
export interface TraceCalls {
  wish: Call<Wish, Uint8Array>;
}
