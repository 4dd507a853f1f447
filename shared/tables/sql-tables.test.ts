import { beforeAll, describe, expect, test } from 'vitest';
import { makeQuery, type Query } from '../engine/index.ts';
import { lockScreenTrace } from '../engine/testing/lock-screen.ts';
import { processorWith } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { RowSeeker } from './row-seeker.ts';
import { sqlTables } from './sql-tables.ts';
import { numberAt, textAt, type Batch, type Tables } from './tables.ts';

const START = 1_000_000_000;
const US = 1000;
const RUNS = 70_000;
const BATCH_ROWS = 65_536;

/** A CPU that changes every µs between a thread and nothing to do: more runs than a batch holds. */
function manyRuns(): Uint8Array {
  const trace = new TraceWriter()
    .start(START, 0)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: START + RUNS * US })
    .process(START, 'app.exe', '', { pid: 4 })
    .thread(START, null, { tid: 8, pid: 4 });
  for (let run = 0; run < RUNS; run++)
    trace.contextSwitch(
      START + run * US,
      0,
      [run % 2 === 0 ? 0 : 8, 5, 6],
      run % 2 === 0 ? [8, 10, { rank: 0, state: 5 }] : [0, 0],
    );
  return trace.fact(START + RUNS * US, 'etw.end').finish();
}

/** The tables of a trace in a real engine, and what it was asked. */
async function openTables(trace: Uint8Array) {
  const processor = await processorWith(trace);
  const asked: string[] = [];
  const state = { fails: false };
  const query: Query = makeQuery((sql) => {
    asked.push(sql);
    if (state.fails) return Promise.reject(new Error('the engine has ended'));
    return Promise.resolve(processor.query(sql));
  });
  return { query, asked, state };
}

/** The cells of batches, row by row. */
async function cellsOf<C extends string>(batches: AsyncIterable<Batch<C>>, names: readonly C[]) {
  const rows: (string | number | null)[][] = [];
  for await (const { rowCount, columns } of batches)
    for (let row = 0; row < rowCount; row++)
      rows.push(
        names.map((name) => {
          const values = columns[name];
          return values.texts === null ? numberAt(values, row) : textAt(values, row);
        }),
      );
  return rows;
}

test.each([
  ['etw_run', 'te, ts', ['ts', 'te', 'dur', 'cpu', 'utid', 'rank', 'switch_out_state']],
  ['etw_ready_wait', 'te, ts', ['ts', 'te', 'dur', 'cause', 'rank', 'cpu', 'last_ready_ts', 'rank_source']],
  ['etw_cpu_time', 'ts', ['ts', 'dur', 'ran_ns', 'rank']],
  ['etw_thread', 'utid', ['utid', 'tid', 'name', 'process_name', 'create_ts']],
  ['etw_loss', 'ts', ['ts', 'cpu']],
] as const)(
  'rows of %s have the cells that SQL gives, in the order of their ends',
  async (table, order, names) => {
    const { query } = await openTables(lockScreenTrace());
    const result = await query(`SELECT ${names.join(', ')} FROM ${table} ORDER BY ${order}`);
    const expected = [...result.rows()].map((row) => names.map((name) => row[name]));
    const tables = sqlTables(query);
    const found = await cellsOf(tables.batches(table, names), names);
    expect(found).toEqual(expected);
    expect(await tables.rowCount(table)).toBe(expected.length);
  },
);

describe('of a table of more rows than a batch holds', () => {
  let opened: Awaited<ReturnType<typeof openTables>>;
  let tables: Tables;
  beforeAll(async () => {
    opened = await openTables(manyRuns());
    tables = sqlTables(opened.query);
  });

  /** How many rows each batch has that is read. */
  async function sizes(...args: Parameters<Tables['batches']>): Promise<number[]> {
    const found = [];
    for await (const { rowCount } of tables.batches(...args)) found.push(rowCount);
    return found;
  }

  test('a range gives the batches that it touches', async () => {
    const rest = RUNS - BATCH_ROWS;
    const end = START + RUNS * US;
    expect(await sizes('etw_run', ['cpu'])).toEqual([BATCH_ROWS, rest]);
    expect(await sizes('etw_run', ['cpu'], undefined, 'backwards')).toEqual([rest, BATCH_ROWS]);
    expect(await sizes('etw_run', ['cpu'], { start: START, end: START + US })).toEqual([BATCH_ROWS]);
    expect(await sizes('etw_run', ['cpu'], { start: end - US, end })).toEqual([rest]);
    expect(await tables.rowCount('etw_run', { start: end - US, end })).toBe(rest);
    expect(await sizes('etw_run', ['cpu'], { start: end, end: end + US })).toEqual([]);
    expect(await sizes('etw_run', ['cpu'], { start: -Infinity, end: Infinity })).toEqual([BATCH_ROWS, rest]);
  });

  test('the rows of a thread are found over the edge of a batch', async () => {
    const [row] = (await opened.query('SELECT utid FROM etw_thread WHERE tid = 8')).rows();
    const seeker = new RowSeeker(tables, 'etw_run', 'utid', ['te'], { start: START, end: START + RUNS * US });
    const found = [];
    for await (const { columns, row: at } of seeker.before(
      Number(row?.utid),
      START + (BATCH_ROWS + 1) * US,
    )) {
      found.push(columns.ts.values[at]);
      if (found.length === 3) break;
    }
    expect(found).toEqual([BATCH_ROWS, BATCH_ROWS - 2, BATCH_ROWS - 4].map((run) => START + run * US));
  });

  test('numbers take as few bytes as hold them', async () => {
    for await (const { columns } of tables.batches('etw_run', ['cpu', 'ts', 'switch_out_state']))
      expect(Object.values(columns).map(({ values }) => values.BYTES_PER_ELEMENT)).toEqual([1, 4, 1]);
  });
});

test('a column is read once, though two ask for it at once', async () => {
  const { query, asked } = await openTables(lockScreenTrace());
  const tables = sqlTables(query);
  const read = (names: readonly string[]) => cellsOf(tables.batches('etw_run', names), names);
  await Promise.all([read(['ts', 'cpu']), read(['cpu', 'utid'])]);
  await read(['utid', 'cpu', 'dur']);
  expect(asked).toEqual([
    'SELECT ts, te FROM etw_run ORDER BY te, ts',
    'SELECT cpu FROM etw_run WHERE te BETWEEN 1150 AND 2000 ORDER BY te, ts',
    'SELECT utid FROM etw_run WHERE te BETWEEN 1150 AND 2000 ORDER BY te, ts',
  ]);
});

test('what failed is read again', async () => {
  const { query, state } = await openTables(lockScreenTrace());
  const tables = sqlTables(query);
  const read = (names: readonly string[]) => cellsOf(tables.batches('etw_run', names), names);
  state.fails = true;
  await expect(read(['cpu'])).rejects.toThrow('the engine has ended');
  state.fails = false;
  await read(['cpu']);
  state.fails = true;
  await expect(read(['cpu', 'utid'])).rejects.toThrow('the engine has ended');
  state.fails = false;
  expect(await read(['cpu', 'utid'])).toHaveLength(await tables.rowCount('etw_run'));
});
