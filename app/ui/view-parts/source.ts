import type { Query } from '../../../shared/engine/index.ts';
import { traceQuery, type TraceAsker } from '../../../shared/tables/index.ts';
import { ModelLoader, type AskBytes, type ModelSource } from '../model-loader/loader.ts';
import type { Wish } from '../model-loader/protocol.ts';
import { noteAsked } from '../query/behind.ts';
import type { LoadedTrace } from '../state.ts';

/** Asks the open trace until the signal is aborted, and gives the answer's own bytes. */
export type AskWhile = (signal: AbortSignal, wish: Wish) => Promise<Uint8Array>;

/** Where models of the open trace come from. Views keep what they asked by its `query`: a trace has one of its own. */
export interface Source {
  readonly trace: LoadedTrace;
  readonly models: ModelSource;
  readonly query: Query;
}

/** Who asks now. */
interface Asker {
  /** The view that is named as the asker. */
  readonly view: string;
  /** Ends what is asked. */
  readonly signal: AbortSignal;
}

const NO_ONE: Asker = { view: '', signal: new AbortController().signal };

/** The source of the open trace, made anew for each trace. */
export class Sources {
  readonly #askWhile: AskWhile;
  readonly #loader = new ModelLoader();
  #source: Source | null = null;
  #asker: Asker = NO_ONE;

  constructor(askWhile: AskWhile) {
    this.#askWhile = askWhile;
  }

  /** The source of a trace; until the next call, what it asks is asked for this view, until the signal is aborted. */
  of(trace: LoadedTrace, view: string, signal: AbortSignal): Source {
    this.#asker = { view, signal };
    if (this.#source?.trace === trace) return this.#source;
    this.#source?.models.end();
    const ask: AskBytes = (wish) => {
      if (wish.kind === 'sql') noteAsked(this.#asker.view, wish.statement, wish.sql);
      return this.#askWhile(this.#asker.signal, wish);
    };
    const { tables } = trace.opened;
    const asker: TraceAsker = {
      sql: (of, sql, statement) => ask({ kind: 'sql', sql, statement, of }),
      readTable: (table, batch, columns) => ask({ kind: 'table', table, batch, columns }),
    };
    return (this.#source = {
      trace,
      query: traceQuery(asker, tables),
      models: this.#loader.connect(ask, tables),
    });
  }

  /** Models of a trace that no view shows yet: nothing breaks them off. */
  aside(trace: LoadedTrace): ModelSource {
    return this.#loader.connect((wish) => this.#askWhile(NO_ONE.signal, wish), trace.opened.tables);
  }
}
