import type { ColumnReader, ColumnTable, ColumnType } from './column-table.ts';

const CODE: ColumnType = { kind: 'int', bytes: 1, signed: false };

/** A table with one number of 0 to 255 a row more, as the last column. No file has these: `codes` gives them by row, before rows are read. */
export function withCodes(table: ColumnTable, name: string, codes: () => Uint8Array): ColumnTable {
  const { columns, batches } = table;
  return {
    ...table,
    columns: [...columns, { name, type: CODE, dictionary: null }],
    openColumn: (number) => (number === columns.length ? codesOf(batches, codes) : table.openColumn(number)),
  };
}

function codesOf(batches: ColumnTable['batches'], codes: () => Uint8Array): ColumnReader {
  return {
    load(batch, from, to) {
      const first = batches[batch]?.firstRow ?? 0;
      return { kind: 'number', present: null, values: codes().subarray(first + from, first + to) };
    },
    addLengths: () => {
      throw new RangeError('a code is no text');
    },
  };
}
