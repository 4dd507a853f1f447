import { batchOf, type ColumnTable, type ColumnValues } from '../column-table.ts';
import { ColumnsError } from '../columns-error.ts';
import type { Entries } from './index-tree.ts';

/**
 * Gives entries of the index on a column of Int64 that ascends from row to row: the entry at each place is that of the row of this
 * number. The rows that are asked for ascend. What is given throws a `ColumnsError` where they show that the column does not, or has a
 * null: a search would miss rows without a word.
 */
export function ascendingEntries(table: ColumnTable, column: number): (rows: readonly number[]) => Entries {
  const keyNumber = table.columns.findIndex(({ name }) => name === table.key);
  const reader = table.openColumn(column);
  const keyReader = keyNumber < 0 ? null : table.openColumn(keyNumber);

  /** Reads the rows of one batch at once. Gives what reads each. */
  function readBatch(batch: number, from: number, to: number) {
    return { values: reader.load(batch, from, to), keys: keyReader?.load(batch, from, to) ?? null };
  }

  return (rows) => {
    const high = new Uint32Array(rows.length);
    const low = new Uint32Array(rows.length);
    const idHigh = new Int32Array(rows.length);
    const idLow = new Uint32Array(rows.length);
    for (let at = 0; at < rows.length;) {
      const first = rows[at] ?? 0;
      const batch = batchOf(table.batches, first);
      const { firstRow, rowCount } = table.batches[batch] ?? { firstRow: 0, rowCount: 0 };
      // Rows that follow one another are read at once; entries of pages above leaves lie far apart.
      let end = at + 1;
      while (end < rows.length && rows[end] === first + end - at && first + end - at < firstRow + rowCount)
        end++;
      const { values, keys } = readBatch(batch, first - firstRow, first - firstRow + end - at);
      for (let i = at; i < end; i++) {
        const row = first + i - at;
        [high[i], low[i]] = halvesAt(values, i - at) ?? refuse(row);
        const isBelow =
          i > 0 &&
          (signed(high, i) < signed(high, i - 1) ||
            (high[i] === high[i - 1] && (low[i] ?? 0) < (low[i - 1] ?? 0)));
        if (isBelow) refuse(row);
        const id = keys === null ? [Math.floor(row / 2 ** 32), row >>> 0] : halvesAt(keys, i - at);
        [idHigh[i], idLow[i]] = [id?.[0] ?? 0, id?.[1] ?? 0];
      }
      at = end;
    }
    return { nullCount: 0, high, low, idHigh, idLow };
  };

  function refuse(row: number): never {
    const name = table.columns[column]?.name ?? '';
    throw new ColumnsError(
      table.file,
      null,
      `"${name}" to ascend, since it has an index for ranges: it does not at row ${row}`,
    );
  }
}

/** The upper half of a value, with its sign. */
function signed(high: Uint32Array, at: number): number {
  return (high[at] ?? 0) | 0;
}

/** The halves of a value, the upper one first; null where there is none. */
function halvesAt(values: ColumnValues, at: number): readonly [number, number] | null {
  if (values.kind !== 'number' || values.present?.[at] === 0) return null;
  return [values.values[2 * at + 1] ?? 0, values.values[2 * at] ?? 0];
}
