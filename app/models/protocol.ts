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

/** What the worker is told. A source is what asks one trace: views keep what they asked for by it. */
export type ToWorker =
  /** A trace, and its tables in columns; without these it is asked by SQL alone. */
  | { readonly kind: 'source'; readonly source: number; readonly tables: readonly TableInfo[] | undefined }
  | {
      readonly kind: 'run';
      readonly call: number;
      readonly source: number;
      readonly step: Step;
      readonly wanted: Wanted;
    }
  /** What a drawn view asks, see `View.answer`. */
  | {
      readonly kind: 'question';
      readonly call: number;
      readonly source: number;
      readonly view: string;
      readonly question: unknown;
    }
  | { readonly kind: 'answer'; readonly ask: number; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly ask: number }
  /** Nobody loads from the source any more. */
  | { readonly kind: 'end'; readonly source: number };

/** What the worker tells. */
export type FromWorker =
  | { readonly kind: 'ask'; readonly ask: number; readonly source: number; readonly wish: Wish }
  /** The model as the worker writes it; null where `later` had nothing to add. */
  | { readonly kind: 'model'; readonly call: number; readonly model: unknown }
  /** `ask` is what was refused, if that is why. */
  | { readonly kind: 'failed'; readonly call: number; readonly message: string; readonly ask: number | null };
