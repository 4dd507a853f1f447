import type { Query } from '../../../shared/engine/index.ts';
import { traceQuery, type TraceAsker } from '../../../shared/tables/index.ts';
import type { ModelCall, ModelSource, Step, Wanted, Wish } from '../../host/model-source/index.ts';
import { unpacked } from '../../host/model-source/pack.ts';
import { pageModels } from '../../models/page-models.ts';
import type { OpenTrace } from '../../host/api.ts';
import { noteAsked } from '../query/behind.ts';
import type { LoadedTrace } from '../state.ts';

/** What the open trace is asked by, as far as views need it. */
export interface TraceDoor {
  askWhile(wish: Wish, signal: AbortSignal | undefined): Promise<Uint8Array>;
  /** Where models of a trace are made beside its files; null where the page makes them. */
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
  /** The view that asks by the query of the source, and what ends that. */
  #asker: { readonly view: string; readonly signal: AbortSignal } = NO_ONE;

  constructor(door: TraceDoor) {
    this.#door = door;
  }

  /** What a view loads its models by, and asks a trace by, until the signal is aborted. */
  of(
    trace: LoadedTrace,
    view: string,
    signal: AbortSignal,
  ): { readonly models: Models; readonly query: Query } {
    this.#asker = { view, signal };
    const { models, query } = this.#sourceOf(trace);
    const call: ModelCall = { signal, onAsked: (statement, sql) => noteAsked(view, statement, sql) };
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
    const ask = (wish: Wish) => {
      if (wish.kind === 'sql') noteAsked(this.#asker.view, wish.statement, wish.sql);
      return this.#door.askWhile(wish, this.#asker.signal);
    };
    const models = this.#models(trace);
    const asker: TraceAsker = {
      sql: (of, sql, statement) => ask({ kind: 'sql', sql, statement, of }),
      readTable: (...which) => ask({ kind: 'table', which }),
      hasSymbols: trace.hasSymbols ?? trace.opened.hasSymbols,
      askBeside: (name, question) => models.ask(name, question, { signal: this.#asker.signal }),
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

const NO_ONE = { view: '', signal: new AbortController().signal };
