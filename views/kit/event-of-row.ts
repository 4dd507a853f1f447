import type { MarkedEvent, ViewTable } from '../../shared/view/index.ts';

/**
 * What a row of a table is marked as: the time in `column` if that holds one, else the row's first time; named by the
 * row's first text and the column's title. Null for a row without a time.
 */
export function eventOfRow(table: ViewTable, row: number, column: number | null = null): MarkedEvent | null {
  const cells = table.rows[row] ?? [];
  const isTime = (index: number) =>
    table.columns[index]?.kind === 'time_ns' && typeof cells[index] === 'number';
  const at =
    column !== null && isTime(column) ? column : table.columns.findIndex((_, index) => isTime(index));
  const ts = cells[at];
  if (typeof ts !== 'number') return null;
  const what = table.columns.findIndex(
    ({ kind }, index) => kind === 'text' && typeof cells[index] === 'string' && cells[index] !== '',
  );
  const name = cells[what];
  return { ts, label: `${typeof name === 'string' ? name : table.title}: ${table.columns[at]?.title ?? ''}` };
}
