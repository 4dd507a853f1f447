import { toNumber, type Query, type QueryResult } from '../engine/index.ts';
import { END_BEFORE_TABLE } from '../sql/modules.ts';
import eventShapesSql from './event-shapes.sql';
import eventValuesSql from './event-values.sql';
import { orderOf } from './order.ts';
import shapedEventsSql from './shaped-events.sql';
import { compactValues } from './sql-values.ts';
import type { TableInfo } from './table-info.ts';
import type { Batch, FirstRows, ReadHow, Stretch, TableName, Tables, Values } from './tables.ts';
import { rowsIn, touchedBatches, touchedBy } from './touched-batches.ts';
import { storedFor, workedOut } from './worked-out.ts';

/** What SQL says about rows that last: when they end, or how long they take. */
const LASTING: Partial<Record<TableName, 'te' | 'dur'>> = {
  etw_cpu_time: 'dur',
  etw_disk_io: 'dur',
  etw_file_io: 'dur',
  etw_focus: 'dur',
  etw_hard_fault: 'dur',
  etw_interrupt: 'dur',
  etw_loss: 'dur',
  etw_process_freeze: 'dur',
  etw_ready_wait: 'te',
  etw_ready_wait_long: 'te',
  etw_run: 'te',
  etw_run_counter: 'te',
  etw_suspend: 'dur',
  etw_thread_affinity: 'dur',
};

/** Tables that SQL has in another form; only columns that models read are made of it. */
const SHAPED: Partial<Record<TableName, true>> = { etw_event_shape: true, etw_generic_event: true };

/** What SQL calls tables that the package has no table of that name for. */
const SQL_NAMES: Partial<Record<TableName, string>> = { etw_run_before: END_BEFORE_TABLE };

/** As many rows as a batch of an Arrow file has at most; more where several rows end at once. */
const BATCH_ROWS = 65_536;

/** The tables of a trace by SQL, in batches as Arrow files have them. What was read is kept. */
export function sqlTables(query: Query): Tables {
  const tables = new Map<TableName, SqlTable>();
  const tableOf = (name: TableName) => {
    const table = tables.get(name) ?? new SqlTable(query, name);
    tables.set(name, table);
    return table;
  };
  return {
    rowCount: (table, range) => tableOf(table).rowCount(range),
    batches: (table, columns, range, how, leftOut) => tableOf(table).batches(columns, range, how, leftOut),
  };
}

/** Batches that SQL is asked for at once. */
interface Part {
  readonly batches: TableInfo['batches'];
  /** The batches of each column that was asked for. */
  readonly columns: Map<string, Promise<readonly Values[]>>;
  /** Asks for more of its columns, in the order of the rows. */
  readonly ask: (names: readonly string[]) => Promise<QueryResult>;
}

class SqlTable {
  readonly #query: Query;
  readonly #name: TableName;
  readonly #sqlName: string;
  readonly #told: 'te' | 'dur' | undefined;
  /** By the columns that were asked for at once; all of a table whose rows have no end of their own. */
  readonly #parts = new Map<string, Promise<readonly Part[]>>();

  constructor(query: Query, name: TableName) {
    [this.#query, this.#name, this.#told] = [query, name, LASTING[name]];
    this.#sqlName = SQL_NAMES[name] ?? name;
  }

  async rowCount(range: Stretch | readonly Stretch[] | undefined): Promise<number> {
    if (this.#told === 'te' && range !== undefined) {
      const all = (await this.#partsWith([])).flatMap(({ batches }) => batches);
      return rowsIn(all, touchedBy(range));
    }
    if (this.#name === 'etw_event_shape') return (await this.#query(eventShapesSql)).rowCount;
    const rows = await this.#query(`SELECT COUNT(*) FROM ${this.#sqlName}`);
    return toNumber(rows.cell(0, 0)) ?? 0;
  }

  async *batches<C extends string>(
    columns: readonly C[],
    range: Stretch | readonly Stretch[] | undefined,
    how: ReadHow | undefined,
    leftOut?: FirstRows,
  ): AsyncGenerator<Batch<C>> {
    const told = this.#told;
    const isThere = (name: string) =>
      told === undefined || name === told || !(name === 'te' || name === 'dur');
    const stored = storedFor(columns, isThere);
    let rows = 0;
    const all = (await this.#partsWith(stored)).flatMap((part) =>
      part.batches.map((batch, at) => {
        const firstRow = rows;
        rows += batch.rowCount;
        return { ...batch, firstRow, part, at };
      }),
    );
    for (const number of touchedBatches(all, range && touchedBy(range), how)) {
      const batch = all[number];
      if (batch === undefined || leftOut?.has(batch.firstRow) === true) continue;
      const values = await columnsOf(stored, batch.part, how !== 'once');
      const found = Object.fromEntries(stored.map((name, place) => [name, values[place]?.[batch.at]]));
      for (const name of columns) found[name] ??= workedOut(name, found);
      const { firstRow, rowCount } = batch;
      yield { firstRow, rowCount, columns: found as Record<C, Values> };
    }
  }

  /** Asked once; what failed is asked again. */
  #partsWith(columns: readonly string[]): Promise<readonly Part[]> {
    const isShared = this.#told === 'te' || this.#name in SHAPED;
    const own = this.#told === undefined ? [] : ['ts', this.#told];
    // SQL tells the order of ends, so that columns may come one after the other; of other rows they come at once.
    const names = isShared ? own : [...new Set([...own, ...columns])].sort();
    const key = names.join();
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const parts = this.#read(names);
    parts.catch(() => this.#parts.delete(key));
    this.#parts.set(key, parts);
    return parts;
  }

  #read(names: readonly string[]): Promise<readonly Part[]> {
    if (this.#name === 'etw_generic_event') return this.#readEvents();
    return this.#told === 'te' ? this.#readEnds() : this.#readAtOnce(names);
  }

  /** Events, a part for each batch, so that their texts need not be in memory at one time. */
  async #readEvents(): Promise<readonly Part[]> {
    const rows = await this.#query(shapedEventsSql);
    const ts = rows.numbers('ts');
    const batches = cut(rows.rowCount, { ts, te: ts, order: null });
    const columns = rows.columns.map((name) => [name, inBatches(rows, name, batches, null)] as const);
    let end = 0;
    return batches.map((batch, at) => {
      const first = end;
      end += batch.rowCount;
      const last = end - 1;
      return {
        batches: [batch],
        columns: new Map(columns.map(([name, values]) => [name, Promise.resolve(values.slice(at, at + 1))])),
        ask: () => this.#query(eventValuesSql, { first, last }),
      };
    });
  }

  /** A part for each batch: the engine finds rows by their ends without a look at all others. */
  async #readEnds(): Promise<readonly Part[]> {
    const rows = await this.#query(`SELECT ts, te FROM ${this.#name}${orderBy(this.#name)}`);
    const batches = cut(rows.rowCount, { ts: rows.numbers('ts'), te: rows.numbers('te'), order: null });
    const [ts, te] = [inBatches(rows, 'ts', batches, null), inBatches(rows, 'te', batches, null)];
    return batches.map((batch, at) => {
      const ends = te[at]?.values;
      return {
        batches: [batch],
        columns: new Map([
          ['ts', Promise.resolve(ts.slice(at, at + 1))],
          ['te', Promise.resolve(te.slice(at, at + 1))],
        ]),
        ask: (names) =>
          this.#query(
            `SELECT ${names.join(', ')} FROM ${this.#name} WHERE te BETWEEN ${ends?.[0] ?? 0} AND ${ends?.at(-1) ?? 0}${orderBy(this.#name)}`,
          ),
      };
    });
  }

  async #readAtOnce(names: readonly string[]): Promise<readonly Part[]> {
    const ask = (wanted: readonly string[]) =>
      this.#query(
        this.#name === 'etw_event_shape'
          ? eventShapesSql
          : `SELECT ${wanted.join(', ')} FROM ${this.#sqlName}`,
      );
    const rows = await ask(names);
    const times = this.#told === 'dur' ? timesOf(rows) : undefined;
    const batches = cut(rows.rowCount, times);
    const columns = rows.columns.map(
      (name) => [name, Promise.resolve(inBatches(rows, name, batches, times?.order ?? null))] as const,
    );
    return [{ batches, columns: new Map(columns), ask }];
  }
}

/** Columns of a part, batch by batch; those that have to be asked for are kept, or not. */
async function columnsOf(
  names: readonly string[],
  { batches, columns, ask }: Part,
  areKept: boolean,
): Promise<(readonly Values[])[]> {
  const missing = names.filter((name) => !columns.has(name));
  const known = areKept ? columns : new Map(columns);
  if (missing.length > 0) {
    const rows = ask(missing);
    for (const name of missing) {
      const values = rows.then((found) => inBatches(found, name, batches, null));
      values.catch(() => known.delete(name));
      known.set(name, values);
    }
  }
  const found: (readonly Values[])[] = [];
  for (const name of names) found.push((await known.get(name)) ?? []);
  return found;
}

/** The order of ends; of what ends at once that of the beginnings, or of what else no two rows have in common. */
const orderBy = (table: TableName) => ` ORDER BY te, ${table === 'etw_run_counter' ? 'counter' : 'ts'}`;

/** When rows begin and end, and the order of their ends. */
interface Times {
  readonly ts: Float64Array;
  readonly te: Float64Array;
  /** Null for that of the rows. */
  readonly order: Uint32Array | null;
}

function timesOf(rows: QueryResult): Times {
  const ts = rows.numbers('ts');
  // What has no length ends where it begins.
  const te = rows.numbers('dur').map((dur, row) => (ts[row] ?? 0) + (Number.isNaN(dur) ? 0 : dur));
  return { ts, te, order: isAscending(te) ? null : orderOf(te) };
}

/** The batches of so many rows. What ends at once is in one batch. */
function cut(rowCount: number, times?: Times): TableInfo['batches'] {
  const batches: TableInfo['batches'] = [];
  const endAt = (place: number) => times?.te[times.order?.[place] ?? place];
  let first = 0;
  while (first < rowCount) {
    let end = Math.min(first + BATCH_ROWS, rowCount);
    while (times !== undefined && end < rowCount && endAt(end) === endAt(end - 1)) end++;
    batches.push({ rowCount: end - first, times: times === undefined ? null : reachOf(times, first, end) });
    first = end;
  }
  return batches;
}

/** From the least beginning to the greatest end of some rows. */
function reachOf({ ts, te, order }: Times, first: number, end: number) {
  let [least_ns, greatest_ns] = [Infinity, -Infinity];
  for (let place = first; place < end; place++) {
    const row = order?.[place] ?? place;
    least_ns = Math.min(least_ns, ts[row] ?? 0);
    greatest_ns = Math.max(greatest_ns, te[row] ?? 0);
  }
  return { least_ns, greatest_ns };
}

/** The batches of a column of a result. */
function inBatches(
  rows: QueryResult,
  name: string,
  batches: TableInfo['batches'],
  order: Uint32Array | null,
): readonly Values[] {
  const { values, present, texts, exact } = compactValues(rows, name, order);
  let end = 0;
  return batches.map(({ rowCount }) => {
    const first = end;
    end += rowCount;
    const own = {
      values: values.subarray(first, end),
      present: present?.subarray(first, end) ?? null,
      texts,
    };
    return exact === undefined ? own : { ...own, exact };
  });
}

function isAscending(numbers: Float64Array): boolean {
  for (let row = 1; row < numbers.length; row++)
    if ((numbers[row] ?? 0) < (numbers[row - 1] ?? 0)) return false;
  return true;
}
