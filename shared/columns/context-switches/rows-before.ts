import type { ColumnTable } from '../column-table.ts';
import { bitsOf, columnNumber } from './row-blocks.ts';

/**
 * For each row the last one before it with the same value of a column of at most 4 bytes, plus 1; 0 where there is none. Reads the
 * column once.
 */
export function rowsBefore(table: ColumnTable, name: string): Uint32Array {
  const reader = table.openColumn(columnNumber(table, name));
  const before = new Uint32Array(table.rowCount);
  const lastOf: (number | undefined)[] = [];
  table.batches.forEach(({ firstRow, rowCount }, batch) => {
    const values = bitsOf(reader.load(batch, 0, rowCount));
    for (let row = 0; row < rowCount; row++) {
      const value = values[row] ?? 0;
      before[firstRow + row] = lastOf[value] ?? 0;
      lastOf[value] = firstRow + row + 1;
    }
  });
  return before;
}
