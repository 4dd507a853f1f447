import type { ColumnTable } from '../column-table.ts';
import type { PageMaker } from './table-tree.ts';
import { writtenPage } from './written-page.ts';

/** How SQLite makes the table that its planner reads (§2.6.3). */
export const STATISTICS_SQL = 'CREATE TABLE sqlite_stat1(tbl,idx,stat)';

/** Rows of one value that are reckoned with where nothing tells of it: one in so many. */
const VALUES_GUESSED = 1000;

/** The rows of `sqlite_stat1` of a table: how many rows it has, and how many each index finds for one value. */
export function statisticsOf(
  name: string,
  { rowCount, columns }: ColumnTable,
  indexes: readonly { readonly name: string; readonly column: string }[],
): readonly (string | null)[][] {
  // A planner told of no rows would take tables for one another's equals.
  if (rowCount === 0) return [];
  const found = indexes.map((index) => {
    const column = columns.find((column) => column.name === index.column);
    const values = column?.type.kind === 'bool' ? 2 : (column?.dictionary?.size ?? VALUES_GUESSED);
    const rowsEach = Math.max(Math.ceil(rowCount / Math.max(values, 1)), 1);
    // "unordered": for one value alone. In the order of an index each row would make a page, which takes far longer than to sort.
    return [name, index.name, `${rowCount} ${rowsEach} unordered`];
  });
  return found.length > 0 ? found : [[name, null, String(rowCount)]];
}

/** The page of these rows. Throws a RangeError where they do not fit. */
export function statisticsPage(rows: readonly (string | null)[][]): PageMaker {
  const page = writtenPage(rows);
  return { pageCount: 1, root: 0, make: (_page, _base, out) => out.set(page) };
}
