import type { ParamSpecs, ParamValues, TimeRange } from '../../../shared/view/index.ts';

/** Which function of a view is to run. `later` goes on from the model that `load` gave last from the same source. */
export type Step = 'early' | 'load' | 'later';

/** What is to be loaded. */
export interface Wanted {
  readonly view: string;
  readonly params: ParamValues<ParamSpecs>;
  readonly range: TimeRange;
}

/** What the page tells the worker. A source is what asks one trace: views keep what they asked for by it. */
export type ToWorker =
  | {
      readonly kind: 'run';
      readonly call: number;
      readonly source: number;
      readonly step: Step;
      readonly wanted: Wanted;
    }
  | { readonly kind: 'answer'; readonly ask: number; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly ask: number }
  /** Nobody loads from the source any more. */
  | { readonly kind: 'end'; readonly source: number };

/** What the worker tells the page. */
export type FromWorker =
  /** `statement` is the SQL before params were bound. */
  | {
      readonly kind: 'ask';
      readonly ask: number;
      readonly source: number;
      readonly sql: string;
      readonly statement: string;
    }
  /** `changed` is false where `later` had nothing to add. */
  | { readonly kind: 'model'; readonly call: number; readonly model: unknown; readonly changed: boolean }
  /** `ask` is what was refused, if that is why. */
  | { readonly kind: 'failed'; readonly call: number; readonly message: string; readonly ask: number | null };
