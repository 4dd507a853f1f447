import type { Batch, Tables, TableName } from './tables.ts';

/** A row that something is to be done with. */
export type OnRow<C extends string> = (batch: Batch<C>, row: number) => void;

/** The rows of a table that are gone through. */
export interface Rows<C extends string> {
  readonly table: TableName;
  readonly columns: readonly C[];
  readonly onRow: OnRow<C | 'ts' | 'te'>;
}

/** The rows of a table that lasts, in batches that are read as they are needed. */
class Cursor<C extends string> {
  readonly #batches: AsyncIterator<Batch<C | 'ts' | 'te'>>;
  readonly #onRow: OnRow<C | 'ts' | 'te'>;
  /** Null before the first one and after the last. */
  batch: Batch<C | 'ts' | 'te'> | null = null;
  /** The next row of the batch. */
  row = 0;

  constructor(batches: AsyncIterable<Batch<C | 'ts' | 'te'>>, onRow: OnRow<C | 'ts' | 'te'>) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#onRow = onRow;
  }

  /** Reads on until there is a row, or none is left. */
  async fill(): Promise<void> {
    while (this.batch === null || this.row >= this.batch.rowCount) {
      const next = await this.#batches.next();
      this.batch = next.done === true ? null : next.value;
      this.row = 0;
      if (this.batch === null) return;
    }
  }

  take(batch: Batch<C | 'ts' | 'te'>): void {
    this.#onRow(batch, this.row++);
  }

  /** Takes what is left of the batch. */
  takeRest(batch: Batch<C | 'ts' | 'te'>): void {
    while (this.row < batch.rowCount) this.take(batch);
  }
}

/** Takes the rows of two batches in their order until one of them is over. */
function takeBoth<A extends string, B extends string>(
  one: Cursor<A>,
  ones: Batch<A | 'ts' | 'te'>,
  other: Cursor<B>,
  others: Batch<B | 'ts' | 'te'>,
): void {
  const [beginsOfOne, endsOfOne] = [ones.columns.ts.values, ones.columns.te.values];
  const [beginsOfOther, endsOfOther] = [others.columns.ts.values, others.columns.te.values];
  while (one.row < ones.rowCount && other.row < others.rowCount) {
    const end = endsOfOne[one.row] ?? 0;
    const otherEnd = endsOfOther[other.row] ?? 0;
    const isOne =
      end < otherEnd || (end === otherEnd && (beginsOfOne[one.row] ?? 0) <= (beginsOfOther[other.row] ?? 0));
    if (isOne) one.take(ones);
    else other.take(others);
  }
}

/**
 * Goes through two tables of what lasts in one order of time: that of the ends; of two that end at once, of the beginnings; where these are
 * one too, `first` comes first. So what a thread did comes in its order.
 */
export async function inOneOrder<A extends string, B extends string>(
  tables: Tables,
  first: Rows<A>,
  second: Rows<B>,
): Promise<void> {
  const times = ['ts', 'te'] as const;
  const rows = <C extends string>({ table, columns, onRow }: Rows<C>) =>
    new Cursor(tables.batches(table, [...times, ...columns], undefined, 'once'), onRow);
  const [one, other] = [rows(first), rows(second)];
  for (;;) {
    await one.fill();
    await other.fill();
    if (one.batch !== null && other.batch !== null) takeBoth(one, one.batch, other, other.batch);
    else if (one.batch !== null) one.takeRest(one.batch);
    else if (other.batch !== null) other.takeRest(other.batch);
    else return;
  }
}
