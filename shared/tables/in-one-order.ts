import type { Batch, Tables, TableName } from './tables.ts';

/** A row that something is to be done with. */
export type OnRow<C extends string> = (batch: Batch<C>, row: number) => void;

/** The rows of a table that lasts, one after the other, in batches that are read as they are needed. */
class Cursor<C extends string> {
  readonly #batches: AsyncIterator<Batch<C | 'ts' | 'te'>>;
  #batch: Batch<C | 'ts' | 'te'> | null = null;
  #row = 0;

  constructor(batches: AsyncIterable<Batch<C | 'ts' | 'te'>>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Whether there is a row; reads on where there is none left of the batch. */
  async fill(): Promise<boolean> {
    while (this.#batch === null || this.#row >= this.#batch.rowCount) {
      const next = await this.#batches.next();
      if (next.done === true) return false;
      this.#batch = next.value;
      this.#row = 0;
    }
    return true;
  }

  /** Whether a row is left of the batch. */
  get has(): boolean {
    return this.#batch !== null && this.#row < this.#batch.rowCount;
  }

  get ts(): number {
    return this.#batch?.columns.ts.values[this.#row] ?? Infinity;
  }

  get te(): number {
    return this.#batch?.columns.te.values[this.#row] ?? Infinity;
  }

  take(onRow: OnRow<C | 'ts' | 'te'>): void {
    if (this.#batch !== null) onRow(this.#batch, this.#row);
    this.#row++;
  }
}

/**
 * Goes through two tables of what lasts in one order of time: that of the ends; of two that end at once, of the beginnings; where these are
 * one too, `first` comes first. So what a thread did comes in its order.
 */
export async function inOneOrder<A extends string, B extends string>(
  tables: Tables,
  first: {
    readonly table: TableName;
    readonly columns: readonly A[];
    readonly onRow: OnRow<A | 'ts' | 'te'>;
  },
  second: {
    readonly table: TableName;
    readonly columns: readonly B[];
    readonly onRow: OnRow<B | 'ts' | 'te'>;
  },
): Promise<void> {
  const times = ['ts', 'te'] as const;
  const one = new Cursor(tables.batches(first.table, [...times, ...first.columns], undefined, 'once'));
  const other = new Cursor(tables.batches(second.table, [...times, ...second.columns], undefined, 'once'));
  let [hasOne, hasOther] = [await one.fill(), await other.fill()];
  while (hasOne || hasOther) {
    const isOne = hasOne && (!hasOther || one.te < other.te || (one.te === other.te && one.ts <= other.ts));
    if (isOne) {
      one.take(first.onRow);
      if (!one.has) hasOne = await one.fill();
    } else {
      other.take(second.onRow);
      if (!other.has) hasOther = await other.fill();
    }
  }
}
