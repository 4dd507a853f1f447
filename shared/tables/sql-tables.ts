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
    rowCount: (table) => tableOf(table).rowCount(),
    batches: (table, columns, range, how) => tableOf(table).batches(columns, range, how),
  };
}

/** Batches that SQL is asked for at once. */
interface Part {
  readonly batches: TableInfo['batches'];
  /** What tells its rows from others, in the order of their ends; or nothing. */
  readonly clause: string;
  /** The rows in the order of their ends, by their places in SQL; null where SQL gives them so, or they have no ends. */
  readonly order: Uint32Array | null;
  /** The batches of each column that was asked for. */
  readonly columns: Map<string, Promise<readonly Values[]>>;
}

class SqlTable {
  readonly #query: Query;
  readonly #name: TableName;
  readonly #told: 'te' | 'dur' | undefined;
  #parts: Promise<readonly Part[]> | null = null;

  constructor(query: Query, name: TableName) {
    [this.#query, this.#name, this.#told] = [query, name, LASTING[name]];
  }

  async rowCount(): Promise<number> {
    return rowsOf((await this.#allParts()).flatMap(({ batches }) => batches));
  }

  async *batches<C extends string>(
    columns: readonly C[],
    range: Stretch | undefined,
    how: ReadHow | undefined,
  ): AsyncGenerator<Batch<C>> {
    const told = this.#told;
    const isThere = (name: string) =>
      told === undefined || name === told || !(name === 'te' || name === 'dur');
    const stored = storedFor(columns, isThere);
    const all = (await this.#allParts()).flatMap((part) =>
      part.batches.map((batch, at) => ({ ...batch, part, at })),
    );
    for (const number of touchedBatches(all, range, how)) {
      const batch = all[number];
      if (batch === undefined) continue;
      const values = await this.#columnsOf(stored, batch.part);
      const found = Object.fromEntries(stored.map((name, place) => [name, values[place]?.[batch.at]]));
      for (const name of columns) found[name] ??= workedOut(name, found);
      yield { rowCount: batch.rowCount, columns: found as Record<C, Values> };
    }
  }

  /** Asked once; what failed is asked again. */
  #allParts(): Promise<readonly Part[]> {
    if (this.#parts !== null) return this.#parts;
    const parts = this.#findParts();
    parts.catch(() => (this.#parts = null));
    return (this.#parts = parts);
  }

  async #findParts(): Promise<readonly Part[]> {
    const told = this.#told;
    if (told === undefined) {
      const rows = await this.#query(`SELECT COUNT(*) FROM ${this.#name}`);
      return [partOf(cut(toNumber(rows.cell(0, 0)) ?? 0), '', null)];
    }
    const rows = await this.#query(`SELECT ts, ${told} FROM ${this.#name}`);
    const [ts, other] = [rows.numbers('ts'), rows.numbers(told)];
    const te = told === 'te' ? other : other.map((dur, row) => dur + (ts[row] ?? 0));
    const order = isAscending(te) ? null : orderOf(te);
    const batches = cut(ts.length, { ts, te, order });
    const [begins, others] = [inBatches(rows, 'ts', batches, order), inBatches(rows, told, batches, order)];
    // The engine finds rows by `te`, and no others, without a look at all of them.
    const parts =
      told === 'te'
        ? batches.map((batch, at) => partOf([batch], clauseOf(others[at]), null))
        : [partOf(batches, '', order)];
    const ofPart = (all: readonly Values[], at: number) => (told === 'te' ? all.slice(at, at + 1) : all);
    parts.forEach(({ columns }, at) => {
      columns.set('ts', Promise.resolve(ofPart(begins, at)));
      columns.set(told, Promise.resolve(ofPart(others, at)));
    });
    return parts;
  }

  async #columnsOf(names: readonly string[], part: Part): Promise<(readonly Values[])[]> {
    const { columns, clause, batches, order } = part;
    const missing = names.filter((name) => !columns.has(name));
    if (missing.length > 0) {
      const rows = this.#query(`SELECT ${missing.join(', ')} FROM ${this.#name}${clause}`);
      for (const name of missing) {
        const values = rows.then((found) => inBatches(found, name, batches, order));
        values.catch(() => columns.delete(name));
        columns.set(name, values);
      }
    }
    const found: (readonly Values[])[] = [];
    for (const name of names) found.push((await columns.get(name)) ?? []);
    return found;
  }
}

function partOf(batches: Part['batches'], clause: string, order: Part['order']): Part {
  return { batches, clause, order, columns: new Map() };
}

/** The rows of a batch with such ends, in their order. */
function clauseOf(te: Values | undefined): string {
  const [first, last] = [te?.values[0] ?? 0, te?.values.at(-1) ?? 0];
  return ` WHERE te BETWEEN ${first} AND ${last} ORDER BY te, ts`;
}

/** When rows begin and end, and the order of their ends. */
interface Times {
  readonly ts: Float64Array;
  readonly te: Float64Array;
  readonly order: Uint32Array | null;
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
  const { values, present, texts } = compactValues(rows, name, order);
  let end = 0;
  return batches.map(({ rowCount }) => {
    const first = end;
    end += rowCount;
    return { values: values.subarray(first, end), present: present?.subarray(first, end) ?? null, texts };
  });
}

function isAscending(numbers: Float64Array): boolean {
  for (let row = 1; row < numbers.length; row++)
    if ((numbers[row] ?? 0) < (numbers[row - 1] ?? 0)) return false;
  return true;
}
