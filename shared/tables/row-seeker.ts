import type { Batch, NumberValues, Stretch, TableName, Tables } from './tables.ts';

/** Tables whose rows of one thread follow one another. */
type ThreadTable = Extract<TableName, 'etw_run' | 'etw_ready_wait'>;

/** A row of a batch. */
export interface RowAt<C extends string> {
  readonly columns: Batch<C>['columns'];
  readonly row: number;
}

/** The first stretch of time that is looked through, in ns, and how many times longer each next one is. */
const FIRST_NS = 1e7;
const GROWTH = 8;

/**
 * Finds rows of one thread near a time: it reads the batches around that time, and goes further only while its caller asks for more. The
 * rows of a batch are found by an index, which is made once.
 */
export class RowSeeker<K extends 'utid' | 'waker_utid', C extends string> {
  readonly #tables: Tables;
  readonly #table: ThreadTable;
  readonly #key: K;
  readonly #columns: readonly (C | K | 'ts')[];
  /** No row begins outside. */
  readonly #reach: Stretch;

  /** `key` is the column with the thread; `columns` are what callers read of rows. */
  constructor(tables: Tables, table: ThreadTable, key: K, columns: readonly C[], reach: Stretch) {
    this.#tables = tables;
    this.#table = table;
    this.#key = key;
    this.#columns = [...new Set<C | K | 'ts'>(['ts', key, ...columns])];
    this.#reach = reach;
  }

  /** The rows of a thread that begin before `ts`, the last one first. */
  async *before(utid: number, ts: number): AsyncGenerator<RowAt<C | K | 'ts'>> {
    for (let [end, length] = [ts, FIRST_NS]; end > this.#reach.start; length *= GROWTH) {
      const start = Math.max(end - length, this.#reach.start);
      yield* (await this.#within(utid, { start, end })).reverse();
      end = start;
    }
  }

  /** The rows of a thread that begin at `ts` or later, and before `until`, the first one first. */
  async *from(utid: number, ts: number, until = Infinity): AsyncGenerator<RowAt<C | K | 'ts'>> {
    const last = Math.min(until, this.#reach.end);
    for (let [start, length] = [ts, FIRST_NS]; start < last; length *= GROWTH) {
      const end = Math.min(start + length, last);
      yield* await this.#within(utid, { start, end });
      start = end;
    }
  }

  /** The rows of a thread that begin in a stretch of time, in the order of time. */
  async #within(utid: number, { start, end }: Stretch): Promise<RowAt<C | K | 'ts'>[]> {
    const found: RowAt<C | K | 'ts'>[] = [];
    // A row without a length touches only what is around it.
    const touched = { start: start - 1, end };
    for await (const { columns, rowCount } of this.#tables.batches(this.#table, this.#columns, touched)) {
      const { last, previous } = indexOf(columns[this.#key].values, columns[this.#key].present, rowCount);
      for (let row = last.get(utid) ?? NONE; row !== NONE; row = previous[row] ?? NONE) {
        const begin = columns.ts.values[row] ?? 0;
        if (begin >= start && begin < end) found.push({ columns, row });
      }
    }
    return found.sort((a, b) => (a.columns.ts.values[a.row] ?? 0) - (b.columns.ts.values[b.row] ?? 0));
  }
}

const NONE = -1;

/** The rows of a batch by a key: the last row of each key, and of each row the one before it with its key. */
interface KeyIndex {
  readonly last: ReadonlyMap<number, number>;
  readonly previous: Int32Array;
}

/** By the column of keys: what is let go with it is let go here. */
const indexes = new WeakMap<NumberValues, KeyIndex>();

function indexOf(keys: NumberValues, present: Uint8Array | null, rowCount: number): KeyIndex {
  const known = indexes.get(keys);
  if (known !== undefined) return known;
  const last = new Map<number, number>();
  const previous = new Int32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    if (present?.[row] === 0) continue;
    const key = keys[row] ?? 0;
    previous[row] = last.get(key) ?? NONE;
    last.set(key, row);
  }
  const index = { last, previous };
  indexes.set(keys, index);
  return index;
}
