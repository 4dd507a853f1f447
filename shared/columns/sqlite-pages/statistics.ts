import type { ColumnTable } from '../column-table.ts';
import type { PageMaker } from './table-tree.ts';
import { writtenPage } from './written-page.ts';

/** How SQLite makes the table that its planner reads (§2.6.3). */
export const STATISTICS_SQL = 'CREATE TABLE sqlite_stat1(tbl,idx,stat)';

/** Rows of one value that are reckoned with where nothing tells of it: one in so many. */
const VALUES_GUESSED = 1000;

/**
 * How long the planner is told that an entry of an index for ranges is, by the length that it reckons with for a row: that to this
 * power. Of a range with two bounds the planner reckons with one row in 64, of one with a single bound with one in 4, and what is asked
 * for may be all. So long an entry makes it take the index for two bounds, and read the table from end to end for one.
 */
const RANGE_ENTRY_POWER = 3.5;
const ENTRY_BYTES_MAX = 2 ** 30;

/**
 * How long it is told that an entry of an index for values is, likewise, where many rows have each value. These lie far apart: to read one
 * may make a page of a thousand rows. With so long entries, and so many rows more than each value has, a join looks up the few by the
 * many: it reads the table once, not once for each value.
 */
const VALUE_ENTRY_POWER = 4.8;
const MORE_ROWS_TOLD = 2;
const MANY_ROWS = 8;

/** How long the planner is told that an entry of an index for counts is: less than a row of any table, so that it counts by the index. */
const COUNT_ENTRY_BYTES = 1;

/** An index, and what SQL finds by it: rows of one value, rows of a range, or how many there are. */
export interface PlannedIndex {
  readonly name: string;
  readonly column: string;
  readonly finds: 'value' | 'range' | 'count';
}

/** What SQLite's planner takes a row to be long: by the types of the columns that it has no length of. */
function plannedRowBytes({ columns, key }: ColumnTable): number {
  const bytes = columns.reduce((sum, { type }) => sum + (type.kind === 'text' ? 20 : 4), 0);
  return key === null ? bytes + 4 : bytes;
}

/**
 * The rows of `sqlite_stat1` of a table: how many rows it has, and how many each index finds for one value. `keyCounts`: how many
 * different values columns of a name have, where that is known.
 */
export function statisticsOf(
  name: string,
  table: ColumnTable,
  indexes: readonly PlannedIndex[],
  keyCounts: Readonly<Record<string, number>> = {},
): readonly (string | null)[][] {
  const { rowCount, columns } = table;
  const entryBytes = (power: number) =>
    Math.min(Math.round(plannedRowBytes(table) ** power), ENTRY_BYTES_MAX);
  // A planner told of no rows would take tables for one another's equals.
  if (rowCount === 0) return [];
  const found = indexes.map((index) => {
    if (index.finds === 'count') return [name, index.name, `${rowCount} ${rowCount} sz=${COUNT_ENTRY_BYTES}`];
    if (index.finds === 'range')
      return [name, index.name, `${rowCount} 1 sz=${entryBytes(RANGE_ENTRY_POWER)}`];
    const column = columns.find((column) => column.name === index.column);
    const keys = keyCounts[index.column];
    const guessed = column?.type.kind === 'bool' ? 2 : (column?.dictionary?.size ?? VALUES_GUESSED);
    const rowsEach = Math.max(Math.ceil(rowCount / Math.max(keys ?? guessed, 1)), 1);
    // "unordered": for one value alone. In the order of an index each row would make a page, which takes far longer than to sort.
    if (keys === undefined || rowsEach < MANY_ROWS)
      return [name, index.name, `${rowCount} ${rowsEach} unordered`];
    const stat = `${rowCount} ${MORE_ROWS_TOLD * rowsEach} unordered sz=${entryBytes(VALUE_ENTRY_POWER)}`;
    return [name, index.name, stat];
  });
  return found.length > 0 ? found : [[name, null, String(rowCount)]];
}

/** The page of these rows. Throws a RangeError where they do not fit. */
export function statisticsPage(rows: readonly (string | null)[][]): PageMaker {
  const page = writtenPage(rows);
  return { pageCount: 1, root: 0, make: (_page, _base, out) => out.set(page) };
}
