import type { Column, ColumnReader, ColumnTable } from '../column-table.ts';
import { Scratch } from '../scratch.ts';

/** How SQL writes the constant of {@link withZero}, and what its column is called. */
export const ZERO = '0';

/**
 * A table with 0 in each row of one more column. SQLite counts rows by the index with the shortest entries: by one on this constant no
 * column of the table need be read.
 */
export function withZero(table: ColumnTable): ColumnTable {
  const zero: Column = { name: ZERO, type: { kind: 'int', bytes: 8, signed: true }, dictionary: null };
  return {
    ...table,
    columns: [...table.columns, zero],
    openColumn: (number) => (number === table.columns.length ? zeros() : table.openColumn(number)),
  };
}

function zeros(): ColumnReader {
  const scratch = new Scratch();
  return {
    load: (_batch, from, to) => ({
      kind: 'number',
      present: null,
      values: scratch.words(2 * (to - from)).fill(0),
    }),
    addLengths: () => {
      throw new RangeError('a number is no text');
    },
  };
}
