import type { Cell } from '../../shared/engine/index.ts';
import type { ViewColumn, ViewTable } from '../../shared/view/index.ts';

/** A column of a table of `T`, and how a row's cell comes from it. */
export type Column<T> = ViewColumn & { cell(row: T): Cell };

/** Makes a column; `help` is its tooltip. Without `cell` a row has the cell by the column's name. */
export function column<T>(
  name: string,
  title: string,
  kind: ViewColumn['kind'],
  help: string,
  cell: (row: T) => Cell,
): Column<T>;
export function column<K extends string>(
  name: K,
  title: string,
  kind: ViewColumn['kind'],
  help: string,
): Column<Readonly<Record<K, Cell>>>;
export function column(
  name: string,
  title: string,
  kind: ViewColumn['kind'],
  help: string,
  cell = (row: Readonly<Record<string, Cell>>): Cell => row[name] ?? null,
): Column<Readonly<Record<string, Cell>>> {
  return { name, title, kind, help, cell };
}

/** Makes a table of `rows`. */
export function makeTable<T>(title: string, columns: readonly Column<T>[], rows: readonly T[]): ViewTable {
  return {
    title,
    columns: columns.map(({ name, title, help, kind }) => ({ name, title, help, kind })),
    rows: rows.map((row) => columns.map((column) => column.cell(row))),
  };
}

/** A table without the columns of these names, as a window shows it that has no room for them. */
export function withoutColumns(table: ViewTable, names: readonly string[]): ViewTable {
  const kept = table.columns.flatMap(({ name }, index) => (names.includes(name) ? [] : [index]));
  const pick = <T>(row: readonly T[]) => kept.flatMap((index) => row.slice(index, index + 1));
  return { ...table, columns: pick(table.columns), rows: table.rows.map(pick) };
}
