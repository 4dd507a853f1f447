import type { Call } from '../../shared/border/index.ts';
import type { Step, TraceTables, Wanted, Wish } from '../host/model-source/index.ts';

/** What a worker of models answers. */
export interface ModelWorkerCalls {
  /** A trace, and its tables in columns; without these it is asked by SQL alone. A worker that reads no files leaves `folder` aside. `port` carries {@link SourceCalls} and {@link TraceCalls}. */
  open: Call<{ readonly port: MessagePort } & TraceTables>;
}

/** What a worker answers by the port of a trace. Views keep what they asked for by the port. `M` is how the worker writes a model. */
export interface SourceCalls<M = unknown> {
  /** The model; null where `later` had nothing to add. */
  load: Call<{ readonly step: Step; readonly wanted: Wanted }, M | null>;
  /** What a drawn view asks, see `View.answer`. */
  ask: Call<{ readonly view: string; readonly question: unknown }, M | null>;
  /** Nothing more is loaded from the trace. */
  end: Call<null>;
}

/** What a worker asks of a trace by the port of the trace; the answer's own bytes. */
export interface TraceCalls {
  wish: Call<Wish, Uint8Array>;
}
