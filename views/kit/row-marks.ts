import type { MarkedEvent, ViewTable } from '../../shared/view/index.ts';

/** The letter of the first time in a row that is marked; undefined where none is. `letters` are by time. */
export function letterOfRow(
  table: ViewTable,
  row: number,
  letters: ReadonlyMap<number, string>,
): string | undefined {
  return table.columns
    .map(({ kind }, index) =>
      kind === 'time_ns' ? letters.get(Number(table.rows[row]?.[index])) : undefined,
    )
    .find((letter) => letter !== undefined);
}

/** Shows a row's letter at its left, if its time is marked. */
export function showMark(element: HTMLElement, letter: string | undefined): void {
  if (letter === undefined) {
    delete element.dataset.mark;
    element.removeAttribute('aria-description');
  } else {
    element.dataset.mark = letter;
    element.setAttribute('aria-description', `marked ${letter}`);
  }
}

/**
 * What a row of a table is marked as: the time in `column` if that holds one, else the row's first time; named by the
 * row's first text and the column's title. Null for a row without a time.
 */
export function eventOfRow(table: ViewTable, row: number, column: number | null): MarkedEvent | null {
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
