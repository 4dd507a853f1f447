import { oncePerTrace, toNumber, type Query, type Row } from '../engine/index.ts';
import { dataOf } from '../tables/index.ts';
import knownThreadsSql from './known-threads.sql';

/** Threads by their keys, with the services that they work for: rows of `known-threads.sql`, asked for as they are needed. */
export class KnownThreads {
  readonly #query: Query;
  readonly #rows = new Map<number, Row>();
  /** When the trace begins, once a thread was asked for. */
  start_ts = 0;

  constructor(query: Query) {
    this.#query = query;
  }

  async need(utids: readonly number[]): Promise<void> {
    const missing = [...new Set(utids)].filter((utid) => !this.#rows.has(utid));
    if (missing.length === 0) return;
    const { outline } = dataOf(this.#query);
    for (const row of (await outline(knownThreadsSql, { utids: JSON.stringify(missing) })).rows()) {
      this.#rows.set(Number(row.utid), row);
      this.start_ts = toNumber(row.start_ts) ?? 0;
    }
  }

  of(utid: number): Row | undefined {
    return this.#rows.get(utid);
  }
}

/** Another question asks for few threads that were not asked for before. */
export const loadKnownThreads = oncePerTrace((query: Query) => Promise.resolve(new KnownThreads(query)));
