import type { ColumnReader, ColumnTable } from '../column-table.ts';
import { bitsOf, columnNumber } from './row-blocks.ts';

/** So many batches are kept as they were found: rows are mostly asked for one after another. */
const BATCHES_KEPT = 4;

/**
 * Finds for each row the last one before it with the same value of a column of at most 4 bytes. All of the column is read once, when the
 * first row is asked for. From then on a batch takes 4 bytes for each value that it has, however many rows it has.
 */
export class RowsBefore {
  readonly #table: ColumnTable;
  readonly #reader: ColumnReader;
  /** What comes before each row that is the first of its batch with its value, in the order of these rows. */
  #beforeFirsts: readonly Uint32Array[] | null = null;
  /** The batches that were found last, the oldest first. */
  readonly #found = new Map<number, Uint32Array>();

  constructor(table: ColumnTable, name: string) {
    this.#table = table;
    this.#reader = table.openColumn(columnNumber(table, name));
  }

  /** For each row of a batch the number of the row before, plus 1; 0 where there is none. */
  of(batch: number): Uint32Array {
    const found = this.#found.get(batch) ?? this.#find(batch);
    this.#found.delete(batch);
    this.#found.set(batch, found);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= BATCHES_KEPT) break;
      this.#found.delete(oldest);
    }
    return found;
  }

  #find(batch: number): Uint32Array {
    const beforeFirsts = (this.#beforeFirsts ??= this.#findBeforeFirsts())[batch];
    const { firstRow, values } = this.#valuesOf(batch);
    const before = new Uint32Array(values.length);
    const lastOf: (number | undefined)[] = [];
    let firsts = 0;
    for (let row = 0; row < values.length; row++) {
      const value = values[row] ?? 0;
      before[row] = lastOf[value] ?? beforeFirsts?.[firsts++] ?? 0;
      lastOf[value] = firstRow + row + 1;
    }
    return before;
  }

  #findBeforeFirsts(): readonly Uint32Array[] {
    const lastOf: (number | undefined)[] = [];
    return this.#table.batches.map((_, batch) => {
      const { firstRow, values } = this.#valuesOf(batch);
      const before: number[] = [];
      for (let row = 0; row < values.length; row++) {
        const value = values[row] ?? 0;
        const last = lastOf[value] ?? 0;
        if (last <= firstRow) before.push(last);
        lastOf[value] = firstRow + row + 1;
      }
      return Uint32Array.from(before);
    });
  }

  #valuesOf(batch: number) {
    const { firstRow, rowCount } = this.#table.batches[batch] ?? { firstRow: 0, rowCount: 0 };
    return { firstRow, values: bitsOf(this.#reader.load(batch, 0, rowCount)) };
  }
}
