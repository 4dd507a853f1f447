import { makeQuery, type Engine, type Query } from '../../shared/engine/index.ts';
import type { ReadBatch } from '../../shared/tables/index.ts';
import { OpenError, TooLargeError, type OpenOptions, type OpenTrace, type SymbolCall } from './api.ts';
import { lastingEngine, type LastingEngine } from './lasting-engine.ts';
import type { OutlineColumns } from './outline-engine.ts';
import { SqlRoute } from './sql-route.ts';
import { copySymbols } from './symbols/table.ts';

/** What of a trace an engine loads: all of it, or all but scheduling, which is in columns. */
export type Extent = 'whole' | 'outline';

/** The tables of an outline, open until they are closed. */
interface OpenColumns extends OutlineColumns {
  /** The folder with their files; absent where there is none. */
  readonly folder?: string;
  close(): void;
}

/** A trace, or its outline. */
interface OpenedTables {
  readonly trace: OpenTrace;
  /** The tables of an outline; null of a whole. */
  readonly columns: OpenColumns | null;
}

/** The same in an engine; null where none has started. */
export interface Loaded<E extends LastingEngine | null = Engine> extends OpenedTables {
  readonly engine: E;
}

/** Where an open trace comes from. */
export interface TraceOrigin {
  /** Loads an extent into an engine of its own, as often as it is asked to. */
  load(extent: Extent, options: OpenOptions): Promise<Loaded>;
  /** Closes the trace, which cannot be loaded. */
  lost(): Promise<void>;
}

/** Puts symbols into an engine. */
type PutSymbols<T> = (query: Query, call: SymbolCall) => Promise<T>;

/** The engines of an open trace: the one that was loaded first, and that of the whole trace once something needs it. */
export class TraceEngines {
  readonly #origin: TraceOrigin;
  readonly #route = new SqlRoute();
  readonly #closed = new AbortController();
  #first: Promise<Loaded<LastingEngine>>;
  /** The whole, if the outline was loaded first and something has asked for more. */
  #whole: Promise<Loaded<LastingEngine>> | null = null;
  /** What was loaded first, as far as that is known now. */
  #opened: OpenedTables | null = null;
  /** How symbols were put into the engine that was loaded first; null where it has none. */
  #putSymbols: PutSymbols<unknown> | null = null;

  /** Takes what is loaded first: without an engine, one starts when something is asked of it. */
  constructor(origin: TraceOrigin, first: Promise<Loaded<Engine | null>>) {
    this.#origin = origin;
    this.#first = this.#lasting(first);
  }

  /** The tables in columns; undefined where there are none. */
  get tables(): OpenTrace['tables'] {
    return this.#opened?.trace.tables;
  }

  /** The folder with their files; undefined where there is none. */
  get folder(): string | undefined {
    return this.#opened?.columns?.folder;
  }

  get hasSymbols(): boolean {
    return this.#putSymbols !== null;
  }

  /** What was loaded first. */
  async trace(): Promise<OpenTrace> {
    const { trace } = await this.#loadedFirst();
    return this.hasSymbols ? { ...trace, hasSymbols: true } : trace;
  }

  /** All of the trace, which is loaded now if only its outline was. */
  async whole(options: OpenOptions): Promise<OpenTrace> {
    return (await this.#wholeOf(options)).trace;
  }

  readonly readTable: ReadBatch = async (table, ...which) => {
    const { columns } = await this.#first;
    if (columns === null) throw new RangeError(`the open trace has no table ${table} in columns`);
    return columns.read(table, ...which);
  };

  /** Asks the engine that was loaded first. */
  async askFirst<T>(ask: (engine: LastingEngine) => Promise<T>): Promise<T> {
    return ask((await this.#first).engine);
  }

  /** Asks the engine that answers `sql`: that of the outline where it can and the whole trace would take longer. */
  async ask<T>(sql: string, ask: (engine: LastingEngine) => Promise<T>): Promise<T> {
    const first = await this.#first;
    if (this.#route.toOutline(sql, first.columns !== null)) return ask(first.engine);
    const { engine } = await this.#wholeOf({});
    const answer = await ask(engine);
    this.#route.ranInWhole(sql);
    return answer;
  }

  /** Puts symbols, by `put`, into the engine that was loaded first; that of the whole trace gets them too. */
  async putSymbols<T>(put: PutSymbols<T>, call: SymbolCall): Promise<T> {
    const first = await this.#first;
    const report = await put(queryOf(first), call);
    this.#putSymbols = put;
    const whole = await this.#whole?.catch(() => null);
    if (whole != null) await copySymbols(queryOf(first), queryOf(whole));
    return report;
  }

  /** Ends whatever the engines do, and loads again what was loaded, without symbols. */
  async restart(options: OpenOptions): Promise<OpenTrace> {
    const first = await this.#first;
    const whole = await this.#whole?.catch(() => null);
    this.#whole = null;
    this.#putSymbols = null;
    this.#route.restarted();
    const anew = async (): Promise<Loaded> => {
      // Any of the engines may be the one that a query holds up.
      await Promise.all([first.engine.end(), whole?.engine.end()]);
      return this.#origin.load(extentOf(first), options);
    };
    try {
      this.#first = this.#lasting(anew());
      const { trace } = await this.#loadedFirst();
      if (whole != null) await this.#wholeOf(options);
      return trace;
    } finally {
      first.columns?.close();
    }
  }

  async end(): Promise<void> {
    this.#closed.abort();
    await Promise.allSettled([this.#first.then(endLoaded), this.#whole?.then(endLoaded)]);
  }

  async #loadedFirst(): Promise<OpenedTables> {
    const first = this.#first;
    try {
      return (this.#opened = await first);
    } catch (error) {
      // Another load may have begun since.
      if (this.#first === first) await this.#origin.lost();
      throw error;
    }
  }

  async #wholeOf(options: OpenOptions): Promise<Loaded<LastingEngine>> {
    const first = await this.#first;
    if (first.columns === null) return first;
    if (this.#closed.signal.aborted) throw new OpenError('not_open', 'the trace was closed');
    const loading = (this.#whole ??= this.#lasting(this.#loadWhole(first, options)));
    try {
      return await loading;
    } catch (error) {
      // What is too large stays so.
      if (this.#whole === loading && !(error instanceof TooLargeError)) this.#whole = null;
      throw error;
    }
  }

  async #loadWhole(first: Loaded<LastingEngine>, options: OpenOptions): Promise<Loaded> {
    const whole = await this.#origin.load('whole', { ...options, signal: this.#closed.signal });
    if (this.hasSymbols) await copySymbols(queryOf(first), queryOf(whole));
    return whole;
  }

  async #lasting(loading: Promise<Loaded<Engine | null>>): Promise<Loaded<LastingEngine>> {
    const { engine, ...loaded } = await loading;
    const started = engine === null ? null : Promise.resolve(engine);
    const again = (signal: AbortSignal) => this.#revive(extentOf(loaded), signal);
    return { ...loaded, engine: lastingEngine(started, again) };
  }

  /** An engine for what a query has ended, with the symbols that were there. */
  async #revive(extent: Extent, signal: AbortSignal): Promise<Engine> {
    const { engine, columns } = await this.#origin.load(extent, { signal });
    await this.#putSymbols?.(queryOf({ engine }), { signal }).catch(() => undefined);
    // The tables that were open before are read on; these are the engine's alone.
    return { ...engine, end: () => endLoaded({ engine, columns }) };
  }
}

function extentOf({ columns }: OpenedTables): Extent {
  return columns === null ? 'whole' : 'outline';
}

function queryOf({ engine }: { readonly engine: Pick<Engine, 'query'> }): Query {
  return makeQuery((sql) => engine.query(sql));
}

async function endLoaded({
  engine,
  columns,
}: Pick<Loaded<LastingEngine>, 'engine' | 'columns'>): Promise<void> {
  columns?.close();
  await engine.end();
}
