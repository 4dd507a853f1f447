import type { LakeDesk } from '../../../shared/lake/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import type { TraceId } from '../../host/api.ts';
import type { TraceRecord } from '../store/trace-store.ts';
import type { Library } from './library.ts';

/** A lake that a server keeps, and what changes it. */
export interface KeptLake {
  readonly desk: LakeDesk & { changed(): void };
  /** Ids of the traces in it. */
  ids(): Promise<ReadonlySet<TraceId>>;
  /** Adds the trace of a file. Rejects for what is no trace. */
  add(path: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
  forget(id: TraceId, signal: AbortSignal): Promise<void>;
  /** Puts many small files into few. */
  compact(signal: AbortSignal): Promise<void>;
  end(): Promise<void>;
}

/** After so many traces the lake is compacted. */
const COMPACT_AFTER = 200;

/** Keeps a lake as the library is: what is uploaded is added, what is deleted or expires is forgotten. One trace at a time. */
export class TeamLake {
  readonly desk: LakeDesk;
  readonly #lake: KeptLake;
  readonly #library: Library;
  readonly #say: (message: string) => void;
  readonly #ended = new AbortController();
  /** Ids that are to be looked at, in their order. */
  readonly #waiting = new Set<TraceId>();
  /** Traces that could not be added. */
  readonly #failed = new Set<TraceId>();
  #known: Set<TraceId> | null = null;
  #added = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(lake: KeptLake, library: Library, say: (message: string) => void) {
    this.#lake = lake;
    this.#library = library;
    this.#say = say;
    this.desk = lake.desk;
  }

  /** How many traces are still to be added or forgotten. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** How many traces could not be added. */
  get failed(): number {
    return this.#failed.size;
  }

  /** Looks at all traces of the library and of the lake: what was missed while no server ran is done now. */
  async catchUp(): Promise<void> {
    const { traces } = await this.#library.list({ most: Infinity });
    this.#known = new Set(await this.#lake.ids());
    const kept = new Set(traces.map(({ id }) => id));
    for (const id of [...kept].filter((id) => !this.#known?.has(id))) this.follow(id);
    for (const id of [...this.#known].filter((id) => !kept.has(id))) this.follow(id);
  }

  /** Makes the lake have a trace if the library has it, and else not; soon. */
  follow(id: TraceId): void {
    this.#failed.delete(id);
    if (this.#waiting.has(id)) return;
    this.#waiting.add(id);
    this.#work = this.#work.then(() => this.#look(id));
  }

  /** Resolves when all is done that was to do. */
  async settled(): Promise<void> {
    let work;
    do {
      work = this.#work;
      await work;
    } while (work !== this.#work);
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#work;
    await this.#lake.end();
  }

  async #look(id: TraceId): Promise<void> {
    this.#waiting.delete(id);
    if (this.#hasEnded()) return;
    const { signal } = this.#ended;
    try {
      this.#known ??= new Set(await this.#lake.ids());
      const record = await this.#library.get(id);
      if (record === null && this.#known.has(id)) {
        await this.#lake.forget(id, signal);
        this.#known.delete(id);
      } else if (record !== null && !this.#known.has(id)) {
        await this.#add(record, signal);
        this.#known.add(id);
      } else return;
      this.#lake.desk.changed();
    } catch (error) {
      if (this.#hasEnded()) return;
      this.#failed.add(id);
      this.#say(`the lake lacks ${id.slice(0, 16)}: ${messageOf(error)}`);
    }
  }

  #hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  async #add(record: TraceRecord, signal: AbortSignal): Promise<void> {
    const copy = await this.#library.checkOut(record, { signal });
    try {
      await this.#lake.add(copy.path, record.tags ?? {}, signal);
    } finally {
      await copy.release();
    }
    if (++this.#added % COMPACT_AFTER === 0) await this.#lake.compact(signal);
  }
}
