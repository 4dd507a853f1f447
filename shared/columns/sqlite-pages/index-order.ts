import type { ColumnTable } from '../column-table.ts';
import { countedOrder } from './counted-order.ts';
import { radixOrder } from './radix-order.ts';

/** The rows of a table in the order of one column's values, as SQLite compares them; equal values in the order of rows. */
export interface IndexOrder {
  /** How many rows have null: they come first. */
  readonly nullCount: number;
  readonly rows: Uint32Array;
  /**
   * Writes the upper and lower halves of the values at some places of this order, which ascend. For a text the lower half is an entry of
   * the dictionary. What it writes for a null has no meaning.
   */
  valuesAt(places: readonly number[], high: Uint32Array, low: Uint32Array): void;
}

/** Reads a whole column and sorts it. Throws a `ColumnsError` where it is damaged. */
export function indexOrder(table: ColumnTable, column: number): IndexOrder {
  return countedOrder(table, column) ?? radixOrder(table, column);
}
