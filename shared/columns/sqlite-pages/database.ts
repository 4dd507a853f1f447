import type { ByteSource } from '../byte-source.ts';
import { lastAtMost, type ColumnTable } from '../column-table.ts';
import { PAGE_BYTES, pageIndex, pageNumber } from './format.ts';
import { IndexTree } from './index-tree.ts';
import { schemaPage, type SchemaEntry } from './schema-page.ts';
import { STATISTICS_SQL, statisticsOf, statisticsPage } from './statistics.ts';
import { TableTree, type PageMaker } from './table-tree.ts';
import { withZero, ZERO } from './with-zero.ts';

/** A table of a database that is made on demand. */
export interface DatabaseTable {
  /** What SQL calls it. */
  readonly name: string;
  readonly table: ColumnTable;
  /**
   * Columns that SQL finds the rows of one value by. Each is sorted when SQL first asks for it. From then on it takes 4 bytes a
   * row for texts, and for integers that span few numbers; 12 for others, and 8 more where rows have ids of their own. Texts must have a
   * dictionary.
   */
  readonly indexes?: readonly string[];
  /** Columns that SQL finds the rows of a range of values by, as of time. */
  readonly ranges?: readonly RangeIndex[];
  /** Whether SQL counts all rows without a look at a column. That takes neither a sort nor memory. */
  readonly isCounted?: boolean;
}

/** A column that SQL finds the rows of a range by. */
export interface RangeIndex {
  readonly column: string;
  /**
   * True where it is of Int64 and no value is less than that of the row before, or null: then the index takes no memory. Else it is
   * sorted as those for one value are.
   */
  readonly ascends: boolean;
}

/**
 * The bytes of a read-only SQLite database of these tables, whose pages are made from their columns when they are read. `keyCounts`: how
 * many different values columns of a name have, where that is known: the planner of SQLite chooses by it whom to look up. Throws a
 * `ColumnsError` where columns are damaged, now or then, and a RangeError for tables that SQLite cannot have.
 */
export function sqliteDatabase(
  name: string,
  tables: readonly DatabaseTable[],
  keyCounts: Readonly<Record<string, number>> = {},
): ByteSource {
  checkNames(tables);
  const makers: { readonly base: number; readonly maker: PageMaker }[] = [];
  const entries: SchemaEntry[] = [];
  // The first page is the schema's.
  let pages = 1;
  const add = (maker: PageMaker): number => {
    const root = pageNumber(pages + maker.root);
    makers.push({ base: pages, maker });
    pages += maker.pageCount;
    return root;
  };
  const statistics: (string | null)[][] = [];
  for (const { name, table, indexes = [], ranges = [], isCounted = false } of tables) {
    const root = add(new TableTree(table));
    entries.push({ kind: 'table', name, table: name, root, sql: createTable(name, table) });
    const named = [
      ...ranges.map((range) => ({ ...range, finds: 'range' as const })),
      ...indexes.map((column) => ({ column, ascends: false, finds: 'value' as const })),
      ...(isCounted ? [{ column: ZERO, ascends: true, finds: 'count' as const }] : []),
    ].map((of) => ({ ...of, name: indexName(name, of.column) }));
    for (const { name: index, column, ascends, finds } of named) {
      const isCount = finds === 'count';
      const of = isCount ? ZERO : quoted(column);
      const sql = `CREATE INDEX ${quoted(index)} ON ${quoted(name)} (${of})`;
      const root = add(new IndexTree(isCount ? withZero(table) : table, column, ascends));
      entries.push({ kind: 'index', name: index, table: name, root, sql });
    }
    statistics.push(...statisticsOf(name, table, named, keyCounts));
  }
  entries.push({
    kind: 'table',
    name: 'sqlite_stat1',
    table: 'sqlite_stat1',
    root: add(statisticsPage(statistics)),
    sql: STATISTICS_SQL,
  });
  const pageCount = pageNumber(pages - 1);
  const firstPage = schemaPage(entries, pageCount);
  const sizeBytes = pageCount * PAGE_BYTES;
  const part = new Uint8Array(PAGE_BYTES);

  /** Makes the page of this number, from 1. */
  function make(number: number, out: Uint8Array): void {
    const index = pageIndex(number);
    if (index === 0) {
      out.set(firstPage);
      return;
    }
    const found =
      index === null ? undefined : makers[lastAtMost(makers.length, (i) => makers[i]?.base ?? 0, index)];
    if (index === null || found === undefined) out.fill(0);
    else found.maker.make(index - found.base, found.base, out);
  }

  return {
    name,
    sizeBytes,
    read(into, at) {
      const end = Math.min(at + into.length, sizeBytes);
      for (let next = at; next < end;) {
        const number = Math.floor(next / PAGE_BYTES) + 1;
        const pageAt = (number - 1) * PAGE_BYTES;
        const pageEnd = Math.min(pageAt + PAGE_BYTES, end);
        if (next === pageAt && pageEnd === pageAt + PAGE_BYTES) {
          make(number, into.subarray(next - at, pageEnd - at));
        } else {
          make(number, part);
          into.set(part.subarray(next - pageAt, pageEnd - pageAt), next - at);
        }
        next = pageEnd;
      }
      return Math.max(end - at, 0);
    },
  };
}

/** Type names by which SQLite knows the affinity of a column; INTEGER PRIMARY KEY makes it the row's id. */
function createTable(name: string, { columns, key }: ColumnTable): string {
  const lines = columns.map((column) => {
    const type = { int: 'INTEGER', bool: 'INTEGER', float: 'REAL', text: 'TEXT' }[column.type.kind];
    return `${quoted(column.name)} ${type}${column.name === key ? ' PRIMARY KEY' : ''}`;
  });
  return `CREATE TABLE ${quoted(name)} (${lines.join(', ')})`;
}

const indexName = (table: string, column: string) => `${table}_by_${column}`;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** SQLite compares names without case, and would call such a database malformed when it opens it. */
function checkNames(tables: readonly DatabaseTable[]): void {
  const checkOnce = (kind: string, names: readonly string[]) => {
    const seen = new Set<string>();
    for (const name of names.map((name) => name.toLowerCase())) {
      if (name === '' || name.includes('\0'))
        throw new RangeError(`none of the ${kind} can be called "${name}"`);
      if (seen.has(name)) throw new RangeError(`"${name}" is there twice among the ${kind}`);
      seen.add(name);
    }
  };
  checkOnce(
    'tables and indexes',
    tables.flatMap(({ name, indexes = [], ranges = [], isCounted = false }) => [
      name,
      ...[...indexes, ...ranges.map(({ column }) => column), ...(isCounted ? [ZERO] : [])].map((column) =>
        indexName(name, column),
      ),
    ]),
  );
  for (const { name, table } of tables) {
    if (name.toLowerCase().startsWith('sqlite_')) throw new RangeError(`a table cannot be called "${name}"`);
    if (table.columns.length === 0) throw new RangeError(`table "${name}" has no columns`);
    if (table.columns.length > 2000) throw new RangeError(`table "${name}" has more than 2,000 columns`);
    checkOnce(
      `columns of table "${name}"`,
      table.columns.map((column) => column.name),
    );
  }
}
