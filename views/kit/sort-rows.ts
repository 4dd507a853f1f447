import type { Cell } from '../../shared/engine/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';

/** By which column a table is sorted, and which way. */
export interface Sorting {
  readonly column: number;
  readonly descending: boolean;
}

/** A heading sorts by what matters first (numbers: largest), then the other way, then not at all. */
export function nextSorting(
  sorting: Sorting | null,
  column: number,
  descendingFirst: boolean,
): Sorting | null {
  if (sorting?.column !== column) return { column, descending: descendingFirst };
  return sorting.descending === descendingFirst ? { column, descending: !descendingFirst } : null;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The indices of a table's rows in the order of `sorting`; equal rows keep their order, null comes last. */
export function sortRows(table: ViewTable, sorting: Sorting | null): readonly number[] {
  const order = table.rows.map((_, row) => row);
  if (sorting === null) return order;
  const { column, descending } = sorting;
  const sign = descending ? -1 : 1;
  return order.sort((a, b) => {
    const left = table.rows[a]?.[column] ?? null;
    const right = table.rows[b]?.[column] ?? null;
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compare(left, right);
  });
}

function compare(left: Exclude<Cell, null>, right: Exclude<Cell, null>): number {
  if (typeof left === 'string' || typeof right === 'string') {
    return collator.compare(String(left), String(right));
  }
  return left < right ? -1 : Number(left > right);
}
