import type { ColumnReader, ColumnTable, ColumnType } from './column-table.ts';
import { Scratch } from './scratch.ts';

const KEY: ColumnType = { kind: 'int', bytes: 8, signed: true };

/** A table with the numbers of its rows, from 0, as the first column, which is its key: files of the cache leave it out. */
export function withNumbers(table: ColumnTable, name: string): ColumnTable {
  return {
    ...table,
    columns: [{ name, type: KEY, dictionary: null }, ...table.columns],
    key: name,
    openColumn: (number) => (number === 0 ? rowNumbers(table) : table.openColumn(number - 1)),
  };
}

/** Reads the numbers of the rows, from 0. */
export function rowNumbers({ batches }: Pick<ColumnTable, 'batches'>): ColumnReader {
  const scratch = new Scratch();
  return {
    load(batch, from, to) {
      const first = batches[batch]?.firstRow ?? 0;
      const values = scratch.words(2 * (to - from));
      for (let at = 0; at < to - from; at++) {
        const row = first + from + at;
        values[2 * at] = row;
        values[2 * at + 1] = row / 2 ** 32;
      }
      return { kind: 'number', present: null, values };
    },
    addLengths: () => {
      throw new RangeError('a number is no text');
    },
  };
}
