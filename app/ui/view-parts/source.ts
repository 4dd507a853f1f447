import type { Query } from '../../../shared/engine/index.ts';
import { traceQuery, type TraceAsker } from '../../../shared/tables/index.ts';
import type { ModelCall, ModelSource, Step, Wanted, Wish } from '../../host/model-source/index.ts';
import { unpacked } from '../../host/model-source/pack.ts';
import { pageModels } from '../../models/page-models.ts';
import type { OpenTrace } from '../../host/api.ts';
import type { LoadedTrace } from '../state.ts';

/** What the open trace is asked by, as far as views need it. */
export interface TraceDoor {
  askWhile(wish: Wish, signal: AbortSignal | undefined): Promise<Uint8Array>;
  /** What makes models of a trace where its files are; null where the page makes them. */
  modelsOf(trace: OpenTrace): ModelSource<Uint8Array> | null;
}

/** Loads models of views. */
export interface Models {
  load(step: Step, wanted: Wanted): Promise<unknown>;
  /** What a drawn view is answered, see `View.answer`. */
  ask(view: string, question: unknown): Promise<unknown>;
}

/** Where models of the open trace come from. Views keep what they asked by its `query`: a trace has one of its own. */
interface Source {
  readonly trace: LoadedTrace;
  readonly models: ModelSource;
  readonly query: Query;
}

/** The source of the open trace, made anew for each trace. */
export class Sources {
  readonly #door: TraceDoor;
  readonly #loader = pageModels();
  #source: Source | null = null;
  /** What ends what is asked by the query of the source. */
  #asker = new AbortController().signal;

  constructor(door: TraceDoor) {
    this.#door = door;
  }

  /** What a view loads its models by, and asks a trace by, until the signal is aborted. */
  of(trace: LoadedTrace, signal: AbortSignal): { readonly models: Models; readonly query: Query } {
    this.#asker = signal;
    const { models, query } = this.#sourceOf(trace);
    const call: ModelCall = { signal };
    return {
      query,
      models: {
        load: (step, wanted) => models.load(step, wanted, call),
        ask: (of, question) => models.ask(of, question, call),
      },
    };
  }

  #sourceOf(trace: LoadedTrace): Source {
    if (this.#source?.trace === trace) return this.#source;
    this.#source?.models.end();
    const ask = (wish: Wish) => this.#door.askWhile(wish, this.#asker);
    const models = this.#models(trace);
    const asker: TraceAsker = {
      sql: (of, sql) => ask({ kind: 'sql', sql, of }),
      readTable: (...which) => ask({ kind: 'table', which }),
      hasSymbols: trace.hasSymbols ?? trace.opened.hasSymbols,
      askBeside: (name, question) => models.ask(name, question, { signal: this.#asker }),
    };
    return (this.#source = { trace, query: traceQuery(asker, trace.opened.tables), models });
  }

  #models({ opened, hasSymbols = opened.hasSymbols }: LoadedTrace): ModelSource {
    const beside = this.#door.modelsOf(opened);
    if (beside !== null) return unpacked(beside);
    const { tables } = opened;
    return this.#loader.connect((wish, signal) => this.#door.askWhile(wish, signal), { tables, hasSymbols });
  }
}
