import { readFile } from 'node:fs/promises';
import { EngineError } from '../../../shared/engine/index.ts';
import type { ProcessEngine } from '../../../shared/engine/process-engine.ts';
import { formatBytes } from '../../../shared/model/index.ts';
import { OpenError } from '../../host/api.ts';
import type { OpenProgress, OpenTrace, TracePart } from '../../host/api.ts';
import { createHost } from '../../host/create-host.ts';
import type { LocalHost } from '../../host/create-host.ts';
import type { ConverterLimits } from '../../host/run-converter.ts';
import { isFull } from '../store/durable.ts';
import { StoreError } from '../store/trace-store.ts';
import type { LocalCopy, TraceRecord } from '../store/trace-store.ts';
import type { Library } from './library.ts';
import type { Metrics } from './metrics.ts';
import { QueryCache } from './query-cache.ts';
import { QueryQueue } from './query-queue.ts';
import type { Viewer } from './query-queue.ts';
import { refusalOfSql } from './shared-sql.ts';
import { TeamError } from './team-error.ts';

const GIVEN_UP = 'the query was given up';

/** What the traces that a server has open are opened with. */
export interface EngineSettings {
  /** Where copies and converted traces are kept. */
  readonly workDir: string;
  readonly converterPath: string;
  readonly startEngine: () => ProcessEngine;
  /** The most that is loaded, by the estimate of the engine's memory. */
  readonly engineBytes: number;
  /** The most resident memory of an engine's process: one that takes more is ended. */
  readonly processBytes: number;
  readonly converterLimits: ConverterLimits;
  /** An opening that takes longer is given up, in ms. */
  readonly openLimitMs: number;
  /** A query that takes longer ends its engine, in ms. */
  readonly queryLimitMs: number;
  /** A query whose answer is larger ends its engine. */
  readonly answerBytes: number;
  /** Answers that are kept of each trace. */
  readonly answersBytes: number;
}

/**
 * A stored trace that is open: one engine in a process of its own, for all who look at it. An engine that dies, or that
 * is ended because a query takes too long, is started again when the next query comes.
 */
export class SharedTrace {
  readonly record: TraceRecord;
  readonly viewers = new Set<Viewer>();
  /** When it was last used, in ms since 1970 UTC. */
  usedAtMs = Date.now();
  readonly #library: Library;
  readonly #settings: EngineSettings;
  readonly #metrics: Metrics;
  readonly #host: LocalHost;
  readonly #queue = new QueryQueue(
    (sql, onPart) => this.#run(sql, onPart),
    () => void this.#giveUp(),
  );
  readonly #answers: QueryCache;
  readonly #listeners = new Set<(progress: OpenProgress) => void>();
  readonly #ended = new AbortController();
  readonly #opened: Promise<OpenTrace>;
  #engine: ProcessEngine | null = null;
  /** Why the engine was ended by this server, so that the query that ran hears it. */
  #why: string | null = null;
  #dead = false;
  #reloading = false;
  #broken = false;
  #copy: LocalCopy | null = null;

  constructor(
    record: TraceRecord,
    part: TracePart,
    library: Library,
    settings: EngineSettings,
    metrics: Metrics,
  ) {
    this.record = record;
    this.#library = library;
    this.#settings = settings;
    this.#metrics = metrics;
    this.#answers = new QueryCache(settings.answersBytes);
    this.#host = createHost({
      cacheDir: settings.workDir,
      converterPath: settings.converterPath,
      converterLimits: settings.converterLimits,
      engineBytes: settings.engineBytes,
      startEngine: () => {
        this.#engine = settings.startEngine();
        return Promise.resolve(this.#engine);
      },
    });
    this.#opened = this.#open(part);
    // Viewers who open the trace get the failure too. But no such viewer may be left.
    this.#opened.catch(() => (this.#broken = true));
  }

  /** Resident memory of its engine, in bytes; 0 while there is none, and where the system does not tell. */
  async memoryBytes(): Promise<number> {
    return this.#engine?.alive === true ? residentBytes(this.#engine.pid) : 0;
  }

  /** Whether it cannot be opened, or not again. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Whether it has no viewer and nothing runs. */
  get idle(): boolean {
    return this.viewers.size === 0 && this.#queue.idle;
  }

  /** The trace, when it is open. A viewer who goes away meanwhile is no reason for others to wait again. */
  async open(onProgress?: (progress: OpenProgress) => void, signal?: AbortSignal): Promise<OpenTrace> {
    this.usedAtMs = Date.now();
    const report = (progress: OpenProgress): void => onProgress?.(progress);
    this.#listeners.add(report);
    try {
      return await abortable(this.#opened, signal);
    } finally {
      this.#listeners.delete(report);
    }
  }

  /** Asks for a viewer. Rejects with an `AbortError` once they wait no more. */
  async query(viewer: Viewer, sql: string, signal?: AbortSignal): Promise<Uint8Array> {
    this.#assertShared(sql);
    const known = this.#answers.get(sql);
    this.#metrics.count(known === null ? 'outrank_answers_computed_total' : 'outrank_answers_kept_total');
    if (known !== null) return known;
    return this.#queue.ask(viewer, sql, { signal });
  }

  /** Asks for a viewer; the reply comes in parts. */
  async queryInParts(viewer: Viewer, sql: string, onPart: (bytes: Uint8Array) => void): Promise<void> {
    this.#assertShared(sql);
    await this.#queue.ask(viewer, sql, { onPart });
  }

  /** Gives up what a viewer has asked. An engine that works for no other viewer is ended, and loads again. */
  async restart(viewer: Viewer): Promise<OpenTrace> {
    this.#queue.forget(viewer);
    if (this.#queue.abandoned) await this.#giveUp();
    return this.#opened;
  }

  /** Lets a viewer go, with all that was asked for them. */
  leave(viewer: Viewer): void {
    this.viewers.delete(viewer);
    this.usedAtMs = Date.now();
    this.#queue.forget(viewer);
  }

  /** Ends the engine if its process has more memory than it may. */
  async endIfTooLarge(): Promise<void> {
    const { processBytes } = this.#settings;
    if ((await this.memoryBytes()) > processBytes)
      await this.#endEngine(
        `the engine took more memory than the ${formatBytes(processBytes)} that this server gives, and was ended`,
      );
  }

  /** Ends the engine; whoever still asks is told. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#host.end();
    await this.#opened.catch(() => undefined);
    await this.#copy?.release();
  }

  async #open(part: TracePart): Promise<OpenTrace> {
    const { name, sizeBytes } = this.record;
    const { openLimitMs } = this.#settings;
    const tooLong = AbortSignal.timeout(openLimitMs);
    const signal = AbortSignal.any([this.#ended.signal, tooLong]);
    const report = (progress: OpenProgress): void => {
      for (const listener of this.#listeners) listener(progress);
    };
    try {
      this.#copy = await this.#library.checkOut(this.record, {
        signal,
        onRead: (bytes) => report({ stage: 'hash', fraction: Math.min(1, bytes / sizeBytes) }),
      });
      const { path } = this.#copy;
      const opened = await this.#host.open(path, { part, signal, onProgress: report });
      return { ...opened, warnings: opened.warnings.map((each) => each.replaceAll(path, name)) };
    } catch (error) {
      this.#metrics.count('outrank_open_failures_total');
      if (tooLong.aborted)
        throw new OpenError(
          'file',
          `${name}: took longer to open than the ${openLimitMs / 60_000} minutes that this server gives`,
        );
      if (this.#why !== null) throw new EngineError('ended', `${name}: ${this.#why}`);
      throw withoutPath(inWords(error, name), this.#copy?.path ?? '', name);
    }
  }

  #assertShared(sql: string): void {
    this.usedAtMs = Date.now();
    const refusal = refusalOfSql(sql);
    if (refusal !== null) throw new EngineError('sql', refusal);
  }

  async #run(sql: string, onPart?: (bytes: Uint8Array) => void): Promise<Uint8Array> {
    const { id } = await this.#opened;
    if (this.#ended.signal.aborted)
      throw new OpenError('not_open', `${this.record.name}: closed by this server: load the page again`);
    if (this.#broken)
      throw new OpenError('not_open', `${this.record.name}: cannot be loaded again: load the page again`);
    if (this.#dead || this.#engine?.alive !== true) await this.#reload(id);
    if (this.#queue.abandoned) throw new EngineError('ended', GIVEN_UP);
    const { queryLimitMs, answerBytes } = this.#settings;
    const tooLarge = `the answer is larger than the ${formatBytes(answerBytes)} that this server sends: ask for less`;
    const tooLong = `the query took longer than the ${queryLimitMs / 1000} s that this server gives, and was ended`;
    const timer = setTimeout(() => void this.#endEngine(tooLong), queryLimitMs);
    const startedAtMs = performance.now();
    let sizeBytes = 0;
    const parts: Uint8Array[] = [];
    try {
      // In parts also what is answered as one: so that no answer is larger here than it may be.
      await this.#host.queryInParts(id, sql, (bytes) => {
        sizeBytes += bytes.length;
        if (sizeBytes > answerBytes) void this.#endEngine(tooLarge);
        else if (onPart === undefined) parts.push(bytes);
        else onPart(bytes);
      });
      const answer = Buffer.concat(parts);
      // Also an answer without a waiter: it may be asked for again.
      if (onPart === undefined) this.#answers.set(sql, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof EngineError) || (error.kind !== 'crashed' && error.kind !== 'ended'))
        throw error;
      this.#dead = true;
      this.#metrics.count('outrank_engine_deaths_total');
      const [why, { kind }] = [this.#why, error];
      this.#why = null;
      throw new EngineError(kind, why ?? `${error.message}; it is started again by the next query`);
    } finally {
      clearTimeout(timer);
      this.usedAtMs = Date.now();
      this.#metrics.observeQuery((performance.now() - startedAtMs) / 1000);
    }
  }

  async #reload(id: string): Promise<void> {
    this.#why = null;
    this.#reloading = true;
    try {
      await this.#host.restart(id, { signal: this.#ended.signal });
      this.#dead = false;
    } catch (error) {
      this.#broken = true;
      throw withoutPath(error, this.#copy?.path ?? '', this.record.name);
    } finally {
      this.#reloading = false;
    }
  }

  /** Ends a query without a waiter. A trace that is being loaded is wanted all the same. */
  async #giveUp(): Promise<void> {
    if (!this.#reloading) await this.#endEngine(GIVEN_UP);
  }

  async #endEngine(why: string): Promise<void> {
    this.#why = why;
    await this.#engine?.end();
  }
}

/** Resident memory of a process on Linux. */
async function residentBytes(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}

/** Waits for a promise no longer than until the signal. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(Object.assign(new Error('the opening was cancelled'), { name: 'AbortError' }));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** What the converter says when the disk is full: the system's own number of that error. */
const NO_ROOM = /cannot be written: .*\(os error (?:27|28|112|122)\)|has no room for/;

/** Why a trace cannot be opened, as its viewers are told. */
function inWords(error: unknown, name: string): unknown {
  if (error instanceof TeamError) return new OpenError('file', error.message);
  if (isFull(error) || (error instanceof OpenError && NO_ROOM.test(error.message)))
    return new OpenError('file', `${name}: the disk of this server is full: try again later`);
  if (error instanceof StoreError)
    return new OpenError('file', `${name}: the storage of this server cannot be used now: try again later`);
  return error;
}

/** An error whose message names a file without saying where on this server it is. */
function withoutPath(error: unknown, path: string, name: string): unknown {
  if (error instanceof Error && path !== '') error.message = error.message.replaceAll(path, name);
  return error;
}
