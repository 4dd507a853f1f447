import { toNumber, type Query, type QueryResult } from '../engine/index.ts';
import { orderOf } from './order.ts';
import { compactValues } from './sql-values.ts';
import type { TableInfo } from './table-info.ts';
import type { Batch, ReadHow, Stretch, TableName, Tables, Values } from './tables.ts';
import { rowsOf, touchedBatches } from './touched-batches.ts';
import { storedFor, workedOut } from './worked-out.ts';

/** What SQL tells of rows that last: when they end, or how long they take. */
const LASTING: Partial<Record<TableName, 'te' | 'dur'>> = {
  etw_cpu_time: 'dur',
  etw_interrupt: 'dur',
  etw_loss: 'dur',
  etw_ready_wait: 'te',
  etw_ready_wait_long: 'te',
  etw_run: 'te',
};

/** As many rows as a batch of an Arrow file has at most. */
const BATCH_ROWS = 65_536;
/** How many cells are asked for at once, some 6 bytes each; one column at least. */
const CELLS_AT_ONCE = 1 << 24;

/** The tables of a trace by SQL, in batches as Arrow files have them. Each column is read once, as a whole, and kept. */
export function sqlTables(query: Query): Tables {
  const tables = new Map<TableName, SqlTable>();
  const tableOf = (name: TableName) => {
    const table = tables.get(name) ?? new SqlTable(query, name);
    tables.set(name, table);
    return table;
  };
  return {
    rowCount: async (table) => rowsOf((await tableOf(table).layout()).batches),
    batches: (table, columns, range, how) => tableOf(table).batches(columns, range, how),
  };
}

/** How the rows of a table lie in batches. */
interface Layout {
  readonly batches: TableInfo['batches'];
  /** The rows in the order of their ends, by their places in SQL; null where SQL has this order, or the rows have no ends. */
  readonly order: Uint32Array | null;
}

class SqlTable {
  readonly #query: Query;
  readonly #name: TableName;
  #layout: Promise<Layout> | null = null;
  /** The batches of each column that was asked for. */
  readonly #columns = new Map<string, Promise<readonly Values[]>>();

  constructor(query: Query, name: TableName) {
    [this.#query, this.#name] = [query, name];
  }

  /** Asked once; what failed is asked again. */
  layout(): Promise<Layout> {
    if (this.#layout !== null) return this.#layout;
    const layout = this.#findLayout();
    layout.catch(() => (this.#layout = null));
    return (this.#layout = layout);
  }

  async *batches<C extends string>(
    columns: readonly C[],
    range: Stretch | undefined,
    how: ReadHow | undefined,
  ): AsyncGenerator<Batch<C>> {
    const layout = await this.layout();
    const touched = touchedBatches(layout.batches, range, how);
    if (touched.length === 0) return;
    const told = LASTING[this.#name];
    const isThere = (name: string) =>
      told === undefined || name === told || !(name === 'te' || name === 'dur');
    const stored = storedFor(columns, isThere);
    const values = await this.#columnsOf(stored, layout);
    for (const batch of touched) {
      const found = Object.fromEntries(stored.map((name, at) => [name, values[at]?.[batch]]));
      for (const name of columns) found[name] ??= workedOut(name, found);
      yield { rowCount: layout.batches[batch]?.rowCount ?? 0, columns: found as Record<C, Values> };
    }
  }

  async #findLayout(): Promise<Layout> {
    const told = LASTING[this.#name];
    if (told === undefined) {
      const rows = await this.#query(`SELECT COUNT(*) FROM ${this.#name}`);
      return { batches: cut(toNumber(rows.cell(0, 0)) ?? 0, () => null), order: null };
    }
    const rows = await this.#query(`SELECT ts, ${told} FROM ${this.#name}`);
    const [ts, other] = [rows.numbers('ts'), rows.numbers(told)];
    const te = told === 'te' ? other : other.map((dur, row) => dur + (ts[row] ?? 0));
    const order = isAscending(te) ? null : orderOf(te);
    const timesOf = (first: number, end: number) => {
      let [least_ns, greatest_ns] = [Infinity, -Infinity];
      for (let place = first; place < end; place++) {
        const row = order?.[place] ?? place;
        least_ns = Math.min(least_ns, ts[row] ?? 0);
        greatest_ns = Math.max(greatest_ns, te[row] ?? 0);
      }
      return { least_ns, greatest_ns };
    };
    const layout = { batches: cut(ts.length, timesOf), order };
    for (const name of ['ts', told]) this.#columns.set(name, Promise.resolve(valuesOf(rows, name, layout)));
    return layout;
  }

  async #columnsOf(names: readonly string[], layout: Layout): Promise<(readonly Values[])[]> {
    const missing = names.filter((name) => !this.#columns.has(name));
    const most = Math.max(1, Math.floor(CELLS_AT_ONCE / rowsOf(layout.batches)));
    for (let first = 0; first < missing.length; first += most) {
      const asked = missing.slice(first, first + most);
      const rows = this.#query(`SELECT ${asked.join(', ')} FROM ${this.#name}`);
      for (const name of asked) {
        const values = rows.then((found) => valuesOf(found, name, layout));
        values.catch(() => this.#columns.delete(name));
        this.#columns.set(name, values);
      }
    }
    const found: (readonly Values[])[] = [];
    for (const name of names) found.push((await this.#columns.get(name)) ?? []);
    return found;
  }
}

/** The batches of so many rows. */
function cut(
  rowCount: number,
  timesOf: (first: number, end: number) => TableInfo['batches'][number]['times'],
): TableInfo['batches'] {
  return Array.from({ length: Math.ceil(rowCount / BATCH_ROWS) }, (_, batch) => {
    const [first, end] = [batch * BATCH_ROWS, Math.min((batch + 1) * BATCH_ROWS, rowCount)];
    return { rowCount: end - first, times: timesOf(first, end) };
  });
}

/** The batches of a column of a result. */
function valuesOf(rows: QueryResult, name: string, { batches, order }: Layout): Values[] {
  const { values, present, texts } = compactValues(rows, name, order);
  return batches.map(({ rowCount }, batch) => {
    const [first, end] = [batch * BATCH_ROWS, batch * BATCH_ROWS + rowCount];
    return { values: values.subarray(first, end), present: present?.subarray(first, end) ?? null, texts };
  });
}

function isAscending(numbers: Float64Array): boolean {
  for (let row = 1; row < numbers.length; row++)
    if ((numbers[row] ?? 0) < (numbers[row - 1] ?? 0)) return false;
  return true;
}
