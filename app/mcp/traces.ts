import { basename } from 'node:path';
import type { Query } from '../../shared/engine/index.ts';
import type { TraceSummary } from '../../shared/view/index.ts';
import { OpenError, type Host, type OpenProgress, type OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { QuestionError } from '../questions/question-error.ts';
import { findIn, offer, type Allowed } from './allowed.ts';

/** How many traces stay open: an engine can take 4 GiB. */
const MOST_OPEN = 2;

/** An open trace, as tools ask it. */
export interface AskedTrace {
  readonly host: Omit<Host, 'open'>;
  readonly opened: OpenTrace;
  readonly query: Query;
  readonly summary: TraceSummary;
}

/** Opens a trace that a name means; without one that which the server was started with. It stays open for two more. */
export type TakeTrace = (name: string | undefined) => Promise<AskedTrace>;

/** Progress and cancel of a call. */
export interface Call {
  readonly onProgress: (progress: OpenProgress) => void;
  readonly signal: AbortSignal;
}

/** The traces that tools may open, and those that are open. One tool at a time asks one: an engine answers one query at a time, too. */
export class Traces {
  readonly #host: Host;
  readonly #allowed: Allowed;
  /** By path, those unused longest first. */
  readonly #open = new Map<string, AskedTrace>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(host: Host, allowed: Allowed) {
    this.#host = host;
    this.#allowed = allowed;
  }

  /** Lets `use` ask traces once the calls before are done. Aborting ends what their engines do. */
  ask<T>(call: Call, use: (take: TakeTrace) => Promise<T>): Promise<T> {
    const done = this.#turn.then(async () => {
      call.signal.throwIfAborted();
      const asked: string[] = [];
      const take: TakeTrace = async (name) => {
        const path = await this.#pathOf(name);
        const trace = this.#open.get(path) ?? (await this.#load(path, call));
        this.#open.delete(path);
        this.#open.set(path, trace);
        asked.push(path);
        return trace;
      };
      const drop = () => {
        for (const path of asked) void this.#drop(path).catch(() => undefined);
      };
      call.signal.addEventListener('abort', drop);
      try {
        return await use(take);
      } finally {
        call.signal.removeEventListener('abort', drop);
      }
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** The names by which traces can be asked for. */
  get names(): readonly string[] {
    return this.#allowed.traces.map((path) => basename(path));
  }

  async #load(path: string, { onProgress, signal }: Call): Promise<AskedTrace> {
    for (const unused of [...this.#open.keys()].slice(0, this.#open.size - MOST_OPEN + 1))
      await this.#drop(unused);
    const opened = await this.#host.open(path, { columns: true, onProgress, signal });
    try {
      const query = hostQuery(this.#host, opened);
      const { summary } = opened;
      if (summary === null) throw new OpenError('not_a_trace', `${basename(path)}: no Windows trace`);
      // A query that takes more than it may closes the trace.
      const host = { ...this.#host, close: () => this.#drop(path) };
      return { host, opened, query, summary };
    } catch (error) {
      await this.#host.close(opened.id);
      throw error;
    }
  }

  async #drop(path: string): Promise<void> {
    const trace = this.#open.get(path);
    this.#open.delete(path);
    if (trace !== undefined) await this.#host.close(trace.opened.id);
  }

  /** The file that a name means. Nothing is looked at outside of what is allowed. */
  async #pathOf(name: string | undefined): Promise<string> {
    const { traces, folders } = this.#allowed;
    const [only, ...more] = traces;
    if (name === undefined) {
      if (only !== undefined && more.length === 0) return only;
      throw new QuestionError(`trace is missing: ${this.#offer()}`);
    }
    const given = traces.find((path) => path === name || basename(path) === name);
    if (given !== undefined) return given;
    const found = await findIn(folders, name);
    if (found === null) throw new QuestionError(`no such trace may be opened: ${this.#offer()}`);
    return found;
  }

  #offer(): string {
    return offer(this.names, this.#allowed.folders, 'no trace and no --allow FOLDER');
  }
}
