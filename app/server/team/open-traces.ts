import { OpenError } from '../../host/api.ts';
import type { TraceId, TracePart } from '../../host/api.ts';
import { partId } from '../../host/recording-id.ts';
import type { TraceRecord } from '../store/trace-store.ts';
import type { Library } from './library.ts';
import type { Metrics } from './metrics.ts';
import { SharedTrace } from './shared-trace.ts';
import type { EngineSettings } from './shared-trace.ts';

/** How many traces are open, and for how long. */
export interface OpenLimits {
  /** The most engines at a time: each may take as much memory as one engine is given. */
  readonly engines: number;
  /** A trace that no viewer has looked at for so long is closed, in ms. */
  readonly idleMs: number;
}

/** The traces that are open on this server, each once for all who look at it. */
export class OpenTraces {
  readonly #library: Library;
  readonly #limits: OpenLimits;
  readonly #settings: EngineSettings;
  readonly #metrics: Metrics;
  readonly #open = new Map<TraceId, SharedTrace>();

  constructor(library: Library, limits: OpenLimits, settings: EngineSettings, metrics: Metrics) {
    this.#library = library;
    this.#limits = limits;
    this.#settings = settings;
    this.#metrics = metrics;
  }

  get count(): number {
    return this.#open.size;
  }

  get viewerCount(): number {
    return [...this.#open.values()].reduce((sum, { viewers }) => sum + viewers.size, 0);
  }

  /** A stored trace, or a part of it, opened if it is not. The caller joins its viewers. */
  get(record: TraceRecord, part: TracePart): SharedTrace {
    const key = partId(record.id, part);
    const there = this.#open.get(key);
    if (there !== undefined && !there.broken) return there;
    if (there !== undefined) this.#close(key, there);
    this.#makeRoom();
    this.#metrics.count('outrank_engines_started_total');
    const opened = new SharedTrace(record, part, this.#library, this.#settings, this.#metrics);
    this.#open.set(key, opened);
    return opened;
  }

  /** Closes traces that no viewer has looked at for long. */
  closeIdle(): void {
    for (const [key, trace] of [...this.#open]) {
      if (trace.broken || (trace.idle && Date.now() - trace.usedAtMs >= this.#limits.idleMs))
        this.#evict(key, trace);
    }
  }

  /** Closes a trace that is removed, with all its parts; those who look at it are told. */
  drop(id: TraceId): void {
    for (const [key, trace] of [...this.#open]) if (trace.record.id === id) this.#close(key, trace);
  }

  /** Ends the engines that have more memory than they may; their traces are loaded again when they are asked. */
  async endTooLarge(): Promise<void> {
    await Promise.all([...this.#open.values()].map((trace) => trace.endIfTooLarge()));
  }

  /** Resident memory of all engines, in bytes; 0 where the system does not tell. */
  async memoryBytes(): Promise<number> {
    const each = [...this.#open.values()].map((trace) => trace.memoryBytes());
    return (await Promise.all(each)).reduce((sum, bytes) => sum + bytes, 0);
  }

  async end(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map((trace) => trace.end()));
  }

  #makeRoom(): void {
    if (this.#open.size < this.#limits.engines) return;
    const idle = [...this.#open].filter(([, trace]) => trace.idle || trace.broken);
    const [first] = idle.sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    const count = this.#open.size;
    if (first === undefined)
      throw new OpenError(
        'refused',
        `this server has ${count} ${count === 1 ? 'trace' : 'traces'} open, which is all it has memory for: try again when somebody has finished`,
      );
    this.#evict(...first);
  }

  #evict(key: TraceId, trace: SharedTrace): void {
    this.#metrics.count('outrank_engines_evicted_total');
    this.#close(key, trace);
  }

  #close(key: TraceId, trace: SharedTrace): void {
    this.#open.delete(key);
    void trace.end();
  }
}
