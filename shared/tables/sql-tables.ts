import { toNumber, type Query, type QueryResult } from '../engine/index.ts';
import type { Batch, Stretch, TableName, Tables, Values } from './tables.ts';

/** When a row ends, by table; tables whose rows are of no time are not there. */
const ENDS: Partial<Record<TableName, string>> = {
  etw_cpu_time: 'ts + dur',
  etw_interrupt: 'ts + dur',
  etw_loss: 'ts + dur',
  etw_ready_wait: 'te',
  etw_ready_wait_long: 'te',
  etw_run: 'te',
};

/** The tables of a trace by SQL: the same rows as in columns, many times slower, all in one batch. */
export function sqlTables(query: Query): Tables {
  return {
    async rowCount(table) {
      return toNumber((await query(`SELECT COUNT(*) FROM ${table}`)).cell(0, 0)) ?? 0;
    },

    async *batches<C extends string>(
      table: TableName,
      columns: readonly C[],
      range?: Stretch,
    ): AsyncIterable<Batch<C>> {
      const end = ENDS[table];
      const within = range !== undefined && end !== undefined;
      const where = within ? ` WHERE ts < :end AND ${end} > :start` : '';
      const order = end === undefined ? '' : ` ORDER BY ${end}`;
      const bindings = within
        ? { start: bound(Math.floor(range.start)), end: bound(Math.ceil(range.end)) }
        : {};
      const asked = columns.map((name) => (name === 'te' && end !== undefined ? `${end} AS te` : name));
      const rows = await query(`SELECT ${asked.join(', ')} FROM ${table}${where}${order}`, bindings);
      if (rows.rowCount === 0) return;
      const entries = columns.map((name, column): [C, Values] => [name, valuesOf(rows, name, column)]);
      yield { rowCount: rows.rowCount, columns: Object.fromEntries(entries) as Record<C, Values> };
    },
  };
}

/** A bound of a range as SQL has it, which has no infinity. */
function bound(ts: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(ts, Number.MAX_SAFE_INTEGER));
}

function valuesOf(rows: QueryResult, name: string, column: number): Values {
  let isText = false;
  for (let row = 0; row < rows.rowCount && !isText; row++) {
    const cell = rows.cell(row, column);
    if (cell === null) continue;
    if (typeof cell !== 'string') break;
    isText = true;
  }
  return isText ? texts(rows.strings(name)) : numbers(rows.numbers(name));
}

function numbers(values: Float64Array): Values {
  let present: Uint8Array | null = null;
  for (let row = 0; row < values.length; row++) {
    if (!Number.isNaN(values[row])) continue;
    present ??= new Uint8Array(values.length).fill(1);
    present[row] = 0;
  }
  return { values, present, texts: null };
}

function texts(of: readonly (string | null)[]): Values {
  const known = new Map<string, number>();
  const values = new Uint32Array(of.length);
  let present: Uint8Array | null = null;
  of.forEach((text, row) => {
    if (text === null) {
      present ??= new Uint8Array(of.length).fill(1);
      present[row] = 0;
      return;
    }
    const number = known.get(text) ?? known.size;
    if (number === known.size) known.set(text, number);
    values[row] = number;
  });
  return { values, present, texts: [...known.keys()] };
}
