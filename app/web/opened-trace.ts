import { makeQuery, type Engine, type Query } from '../../shared/engine/index.ts';
import type { ReadBatch } from '../../shared/tables/index.ts';
import { OpenError, TooLargeError, type OpenOptions, type OpenTrace } from '../host/api.ts';
import { lastingEngine, type LastingEngine } from '../host/lasting-engine.ts';
import { SqlRoute } from '../host/sql-route.ts';
import { copySymbols } from '../host/symbols/table.ts';
import type { PageColumns } from './page-columns.ts';

/** What of a trace an engine loads: all of it, or all but scheduling, which is in columns. */
export type Extent = 'whole' | 'outline';

/** A trace, or its outline, in an engine of its own. */
export interface Loaded<E = Engine> {
  readonly engine: E;
  readonly trace: OpenTrace;
  /** The tables of an outline; null of a whole trace. */
  readonly columns: PageColumns | null;
}

/** Loads an extent of the trace, as often as it is asked to. */
export type Load = (extent: Extent, options: OpenOptions) => Promise<Loaded>;

/** A trace that is open in the page: the engine of its outline, and that of the whole once something needs it. */
export class OpenedTrace {
  /** How many have opened it and not closed it. */
  holders = 1;
  readonly #load: Load;
  readonly #route = new SqlRoute();
  readonly #closed = new AbortController();
  #first: Loaded<LastingEngine>;
  #whole: Promise<Loaded<LastingEngine>> | null = null;
  #hasSymbols = false;

  private constructor(load: Load, first: Loaded) {
    this.#load = load;
    this.#first = this.#lasting(first);
  }

  static async open(extent: Extent, load: Load, options: OpenOptions): Promise<OpenedTrace> {
    return new OpenedTrace(load, await load(extent, options));
  }

  get trace(): OpenTrace {
    return this.#first.trace;
  }

  /** All of the trace, which is loaded now if only its outline was. */
  async whole(options: OpenOptions = {}): Promise<OpenTrace> {
    return (await this.#wholeOf(options)).trace;
  }

  readonly readTable: ReadBatch = async (table, ...which) => {
    const { columns } = this.#first;
    if (columns === null) throw new RangeError(`the open trace has no table ${table} in columns`);
    return columns.read(table, ...which);
  };

  queryOutline(sql: string): Promise<Uint8Array> {
    return this.#first.engine.query(sql);
  }

  /** Asks the engine that answers `sql`: that of the outline where it can and the whole trace would take longer. */
  async ask<T>(sql: string, ask: (engine: LastingEngine) => Promise<T>): Promise<T> {
    if (this.#route.toOutline(sql, this.#first.columns !== null)) return ask(this.#first.engine);
    const { engine } = await this.#wholeOf();
    const answer = await ask(engine);
    this.#route.ranInWhole(sql);
    return answer;
  }

  /** Puts symbols, by `put`, into the engine that was loaded first; that of the whole trace has them too. */
  async putSymbols<T>(put: (query: Query) => Promise<T>): Promise<T> {
    const report = await put(queryOf(this.#first));
    this.#hasSymbols = true;
    const whole = await this.#whole?.catch(() => null);
    if (whole != null) await copySymbols(queryOf(this.#first), queryOf(whole));
    return report;
  }

  /** Ends whatever the engines do, and loads again what was loaded. */
  async restart(options: OpenOptions): Promise<OpenTrace> {
    this.#route.restarted();
    this.#hasSymbols = false;
    const { columns } = this.#first;
    const whole = await this.#whole?.catch(() => null);
    await end(this.#first);
    this.#first = this.#lasting(await this.#load(columns === null ? 'whole' : 'outline', options));
    if (whole == null) return this.trace;
    await end(whole);
    this.#whole = null;
    await this.#wholeOf(options);
    return this.trace;
  }

  async end(): Promise<void> {
    this.#closed.abort();
    await end(this.#first);
    await this.#whole?.then(end).catch(() => undefined);
  }

  async #wholeOf(options: OpenOptions = {}): Promise<Loaded<LastingEngine>> {
    if (this.#first.columns === null) return this.#first;
    if (this.#closed.signal.aborted) throw new OpenError('not_open', 'the trace was closed');
    const loading = (this.#whole ??= this.#load('whole', { ...options, signal: this.#closed.signal }).then(
      async (loaded) => {
        const whole = this.#lasting(loaded);
        if (this.#hasSymbols) await copySymbols(queryOf(this.#first), queryOf(whole));
        return whole;
      },
    ));
    try {
      return await loading;
    } catch (error) {
      // What is too large stays so.
      if (this.#whole === loading && !(error instanceof TooLargeError)) this.#whole = null;
      throw error;
    }
  }

  /** What a query has ended is loaded again; the tables that were open are read on. */
  #lasting({ engine, ...loaded }: Loaded): Loaded<LastingEngine> {
    const extent = loaded.columns === null ? 'whole' : 'outline';
    const again = async (signal: AbortSignal): Promise<Engine> => {
      const { engine, columns } = await this.#load(extent, { signal });
      columns?.close();
      return engine;
    };
    return { ...loaded, engine: lastingEngine(Promise.resolve(engine), again) };
  }
}

function queryOf({ engine }: Loaded<LastingEngine>): Query {
  return makeQuery((sql) => engine.query(sql));
}

async function end({ engine, columns }: Loaded<LastingEngine>): Promise<void> {
  columns?.close();
  await engine.end();
}
