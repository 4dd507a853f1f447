import type { ColumnTable } from '../column-table.ts';
import type { PageMaker } from './table-tree.ts';
import { writtenPage } from './written-page.ts';

/** How SQLite makes the table that its planner reads (§2.6.3). */
export const STATISTICS_SQL = 'CREATE TABLE sqlite_stat1(tbl,idx,stat)';

/** The guess for rows of one value where their number is not known: one row in so many. */
const VALUES_GUESSED = 1000;

/** How long the planner is told that a row of a table is, in bytes. It weighs entries of indexes against it. */
const ROW_BYTES_TOLD = 4;
const ENTRY_BYTES_MAX = 2 ** 30;

/**
 * What an entry of an index for ranges costs, as the planner is told: so many times as much as a row. Of a range with two bounds the
 * planner reckons with one row in 64, of one with a single bound with one in 4, and what is asked for may be all. At this cost it takes
 * the index for two bounds, and reads the table from end to end for one.
 */
const RANGE_COST = 37;

/**
 * What all entries of one value cost, likewise, for each row of the table, where many rows have each value. These lie far apart: to read
 * one may make a page of a thousand rows. A look at the whole table costs 3 for each row, so that the rows of one value are looked up.
 */
const VALUE_COST = { least: 2, most: 2.9 };
/**
 * What the entries of all values are to cost. A join may look up their rows, or read the table and look up for each row what has its
 * value: in a table of Perfetto that costs up to 130, as the planner is told. It is to read the table.
 */
const VALUES_COST = 300;
const MANY_ROWS = 8;

/** An index, and what SQL finds by it: rows of one value, rows of a range, or how many there are. */
export interface PlannedIndex {
  readonly name: string;
  readonly column: string;
  readonly finds: 'value' | 'range' | 'count';
}

/**
 * The length that the planner is told for an entry that costs so many times as much as a row. Where a row has 4 bytes, an entry of
 * n bytes costs n to the power of 3 / 4.
 */
function entryBytes(cost: number): number {
  return Math.min(Math.round(cost ** (4 / 3)), ENTRY_BYTES_MAX);
}

/**
 * The rows of `sqlite_stat1` of a table: how many rows it has, and how many each index finds for one value. `keyCounts`: how many
 * different values columns of a name have, where that is known.
 */
export function statisticsOf(
  name: string,
  table: ColumnTable,
  indexes: readonly PlannedIndex[],
  keyCounts: Readonly<Record<string, number>>,
): readonly (string | null)[][] {
  const { rowCount, columns } = table;
  // A planner that hears of no rows would take all tables as equal.
  if (rowCount === 0) return [];
  const found = indexes.map((index) => {
    if (index.finds === 'count') return [name, index.name, `${rowCount} ${rowCount} sz=${entryBytes(0)}`];
    if (index.finds === 'range') return [name, index.name, `${rowCount} 1 sz=${entryBytes(RANGE_COST)}`];
    const column = columns.find((column) => column.name === index.column);
    const keys = keyCounts[index.column];
    const guessed = column?.type.kind === 'bool' ? 2 : (column?.dictionary?.size ?? VALUES_GUESSED);
    const rowsEach = Math.max(Math.ceil(rowCount / Math.max(keys ?? guessed, 1)), 1);
    // "unordered": for one value alone. In the order of an index each row would make a page, which takes far longer than to sort.
    const stat = `${rowCount} ${rowsEach} unordered`;
    if (keys === undefined || rowsEach < MANY_ROWS) return [name, index.name, stat];
    const cost = Math.min(Math.max(VALUES_COST / keys, VALUE_COST.least), VALUE_COST.most);
    return [name, index.name, `${stat} sz=${entryBytes((cost * rowCount) / rowsEach)}`];
  });
  return [[name, null, `${rowCount} sz=${ROW_BYTES_TOLD}`], ...found];
}

/** The page of these rows. Throws a RangeError where they do not fit. */
export function statisticsPage(rows: readonly (string | null)[][]): PageMaker {
  const page = writtenPage(rows);
  return { pageCount: 1, root: 0, make: (_page, _base, out) => out.set(page) };
}
