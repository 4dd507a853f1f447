import { timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import { formatBytes } from '../../../shared/model/index.ts';
import type { TraceId } from '../../host/api.ts';
import { contentHash } from '../../host/content-hash.ts';
import type { HashOptions } from '../../host/content-hash.ts';
import { LostTraceError } from '../store/trace-store.ts';
import type { ByteRange, LocalCopy, TraceRecord, TraceStore } from '../store/trace-store.ts';
import { TeamError } from './team-error.ts';
import { hashOf } from './tokens.ts';

/** How much a store may hold. */
export interface Quotas {
  /** All traces together. */
  readonly totalBytes: number;
  /** All traces of one uploader. */
  readonly eachBytes: number;
}

/** A page of the list of traces. */
export interface Listing {
  readonly traces: readonly TraceRecord[];
  /** How many match in all. */
  readonly count: number;
}

/** The traces of a store, as the team sees them: searched, bounded by quotas, and gone when they expire. */
export class Library {
  readonly #store: TraceStore;
  readonly #quotas: Quotas;
  /** Traces whose bytes were found changed: they may be uploaded again. */
  readonly #damaged = new Set<TraceId>();

  constructor(store: TraceStore, quotas: Quotas) {
    this.#store = store;
    this.#quotas = quotas;
  }

  /** How many traces were found damaged, and not uploaded again since. */
  get damagedCount(): number {
    return this.#damaged.size;
  }

  /** A trace that is kept and has not expired; null if there is none. */
  async get(id: TraceId): Promise<TraceRecord | null> {
    const record = await this.#store.get(id);
    return record === null || hasExpired(record) ? null : record;
  }

  /** Whether a trace need not be uploaded. */
  async has(id: TraceId): Promise<boolean> {
    return !this.#damaged.has(id) && (await this.get(id)) !== null;
  }

  /** Traces whose name, uploader or id contains every word of `search`, newest first: `most` of them after the first `skip`. */
  async list({
    search = '',
    skip = 0,
    most,
  }: {
    readonly search?: string;
    readonly skip?: number;
    readonly most: number;
  }): Promise<Listing> {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const records = await this.#store.list();
    const found = records
      .filter((record) => !hasExpired(record))
      .filter(({ name, by, id }) => {
        const text = `${name} ${by} ${id}`.toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .sort((a, b) => b.uploadedAtMs - a.uploadedAtMs || (a.id < b.id ? -1 : 1));
    return { traces: found.slice(skip, skip + most), count: found.length };
  }

  /** How many traces are kept, and how large they are together. */
  async usage(): Promise<{ readonly count: number; readonly sizeBytes: number }> {
    const records = await this.#store.list();
    return { count: records.length, sizeBytes: sum(records) };
  }

  /** Rejects if a trace of this size, besides the uploads that are under way, is more than may be kept. */
  async assertRoom(by: string, sizeBytes: number, underWay: readonly Sized[]): Promise<void> {
    const all = [...(await this.#store.list()), ...underWay];
    const free = this.#quotas.totalBytes - sum(all);
    if (sizeBytes > free)
      throw new TeamError(507, `this server has ${formatBytes(Math.max(0, free))} left for traces`);
    const freeOfEach = this.#quotas.eachBytes - sum(all.filter((each) => each.by === by));
    if (sizeBytes > freeOfEach)
      throw new TeamError(507, `${by} has ${formatBytes(Math.max(0, freeOfEach))} left on this server`);
  }

  /** Keeps a finished upload. */
  async add(record: TraceRecord, path: string): Promise<void> {
    await this.#store.add(record, path);
    this.#damaged.delete(record.id);
  }

  /**
   * The trace's bytes in a local file, which are those of its id. Rejects with a `TeamError` if they are not, or are
   * gone; the trace may be uploaded again then.
   */
  async checkOut(record: TraceRecord, options: HashOptions = {}): Promise<LocalCopy> {
    const { id, name } = record;
    const copy = await this.#noteLost(record, this.#store.checkOut(record, options.signal));
    try {
      const found = await contentHash(copy.path, options);
      if (found === id) return copy;
      this.#damaged.add(id);
      throw new TeamError(
        410,
        `${name}: damaged on the server: its SHA-256 is ${found}, not ${id}: upload it again`,
      );
    } catch (error) {
      await copy.release();
      throw error;
    }
  }

  /**
   * A run of the trace's bytes. Its hash is not checked yet: whoever puts the runs together checks it. Rejects with a `TeamError`
   * if the bytes are gone. The trace may be uploaded again then.
   */
  read(record: TraceRecord, range: ByteRange): Promise<Readable> {
    return this.#noteLost(record, this.#store.read(record, range));
  }

  #noteLost<T>({ id, name }: TraceRecord, bytes: Promise<T>): Promise<T> {
    return bytes.catch((error: unknown) => {
      if (!(error instanceof LostTraceError)) throw error;
      this.#damaged.add(id);
      throw new TeamError(410, `${name}: lost on the server: upload it again`);
    });
  }

  async remove(id: TraceId): Promise<void> {
    await this.#store.remove(id);
    this.#damaged.delete(id);
  }

  /** Removes what has expired; the removed. */
  async removeExpired(): Promise<readonly TraceRecord[]> {
    const expired = (await this.#store.list()).filter(hasExpired);
    for (const { id } of expired) await this.remove(id);
    return expired;
  }

  /** Rejects, with why, if the store cannot be used now. */
  check(): Promise<void> {
    return this.#store.check();
  }
}

/** Whether `token` is the one that was given to the uploader of a trace. */
export function deletes({ deleteTokenHash }: TraceRecord, token: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(token), 'hex'), Buffer.from(deleteTokenHash, 'hex'));
}

interface Sized {
  readonly by: string;
  readonly sizeBytes: number;
}

const sum = (all: readonly Sized[]): number => all.reduce((total, { sizeBytes }) => total + sizeBytes, 0);

const hasExpired = ({ expiresAtMs }: TraceRecord): boolean =>
  expiresAtMs !== null && expiresAtMs <= Date.now();
