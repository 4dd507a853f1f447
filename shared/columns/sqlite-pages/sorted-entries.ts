import type { ColumnTable } from '../column-table.ts';
import type { Entries } from './index-tree.ts';
import { indexOrder, type IndexOrder } from './index-order.ts';

/**
 * Gives entries of the index on a column whose values stand in any order. Its rows are sorted when the first entries are asked for, and
 * this order is kept. The places that are asked for ascend.
 */
export function sortedEntries(table: ColumnTable, column: number): (places: readonly number[]) => Entries {
  let kept: { readonly order: IndexOrder; readonly ids: Ids | null } | null = null;
  return (places) => {
    const { order, ids } = (kept ??= { order: indexOrder(table, column), ids: readIds(table) });
    const count = places.length;
    const [high, low] = [new Uint32Array(count), new Uint32Array(count)];
    const [idHigh, idLow] = [new Int32Array(count), new Uint32Array(count)];
    order.valuesAt(places, high, low);
    let nullCount = 0;
    for (let i = 0; i < count; i++) {
      const place = places[i] ?? 0;
      const row = order.rows[place] ?? 0;
      if (place < order.nullCount) nullCount++;
      idHigh[i] = ids === null ? 0 : (ids.high[row] ?? 0);
      idLow[i] = ids === null ? row : (ids.low[row] ?? 0);
    }
    return { nullCount, high, low, idHigh, idLow };
  };
}

/** The ids of all rows, by row. */
interface Ids {
  readonly high: Int32Array;
  readonly low: Uint32Array;
}

/** Reads the ids of rows that have others than their numbers; null for a table without. */
function readIds(table: ColumnTable): Ids | null {
  const key = table.columns.findIndex(({ name }) => name === table.key);
  if (key < 0) return null;
  const { rowCount } = table;
  const [high, low] = [new Int32Array(rowCount), new Uint32Array(rowCount)];
  const reader = table.openColumn(key);
  table.batches.forEach((batch, number) => {
    const column = reader.load(number, 0, batch.rowCount);
    if (column.kind !== 'number') return;
    for (let i = 0; i < batch.rowCount; i++) {
      low[batch.firstRow + i] = column.values[2 * i] ?? 0;
      high[batch.firstRow + i] = column.values[2 * i + 1] ?? 0;
    }
  });
  return { high, low };
}
