import { beforeAll, expect, test } from 'vitest';
import { etwModules } from '../sql/index.ts';
import type { Cell, Row } from './result.ts';
import { lockScreenTrace } from './testing/lock-screen.ts';
import { processorWith, rowsOf } from './testing/start.ts';
import type { TraceProcessor } from './processor.ts';

let processor: TraceProcessor;
beforeAll(async () => {
  processor = await processorWith(lockScreenTrace());
});

/** 3000 threads with ids of their own, an index on these, and a name of every third: as `etw_thread` is of a large machine. */
const THREADS = `
  CREATE PERFETTO TABLE many_threads AS
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
  SELECT i AS utid, i * 7919 % 3001 * 4 AS tid, iif(i % 3 = 0, 'thread ' || i, NULL) AS name FROM n;
  CREATE PERFETTO INDEX many_threads_tid ON many_threads(tid)`;

test('an IN list on an indexed column without repeated values finds a row for each of its members', () => {
  processor.query(THREADS);
  const tids = Array.from({ length: 60 }, (_, at) => at * 200);
  for (const [columns, end] of [
    ['tid, name', ''],
    ['DISTINCT tid', ''],
    ['tid, name', 'ORDER BY name, tid'],
    ['tid, name', 'AND utid > 100 ORDER BY tid DESC LIMIT 20 OFFSET 5'],
  ]) {
    const ask = (tid: string) =>
      rowsOf(processor, `SELECT ${columns} FROM many_threads WHERE ${tid} IN (${tids.join()}) ${end}`);
    // With a plus, SQLite looks at each row by itself.
    for (let again = 0; again < 20; again++) expect(ask('tid')).toEqual(ask('+tid'));
  }
  expect(rowsOf(processor, 'SELECT tid, name FROM many_threads WHERE tid IN (12, 872)')).toEqual([
    { tid: 872, name: 'thread 105' },
    { tid: 12, name: null },
  ]);
});

/** Rows whose `row` equals their number, with indexes of one and of two columns. */
const ROWS = `
  CREATE PERFETTO TABLE many_rows AS
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
  SELECT i AS row, i * 7919 % 3001 * 4 AS tid, iif(i % 3 = 0, 'thread ' || i % 30, NULL) AS name FROM n;
  CREATE PERFETTO INDEX many_rows_row ON many_rows(row);
  CREATE PERFETTO INDEX many_rows_name_row ON many_rows(name, row);
  CREATE PERFETTO INDEX many_rows_name_tid ON many_rows(name, tid)`;

test('an IN list leaves the other conditions on its index as they are, whatever the column and the length', () => {
  processor.query(ROWS);
  const everyThird = Array.from({ length: 1000 }, (_, at) => at * 3);
  const lists = [
    '7, 3',
    '600000000, 3',
    '4294967295, 3',
    "1.5, 2, 'x', NULL",
    everyThird.join(),
    'SELECT row FROM many_rows',
  ];
  for (const list of lists) {
    for (const column of ['row', 'tid']) {
      for (const other of [
        'true',
        'tid > 100',
        'name IS NULL',
        "name = 'thread 3'",
        "name IN ('thread 3', 'thread 6')",
      ]) {
        const ask = (left: string) =>
          rowsOf(processor, `SELECT * FROM many_rows WHERE ${other} AND ${left} IN (${list}) ORDER BY row`);
        expect(ask(column), `${other} AND ${column} IN (${list})`).toEqual(ask(`+${column}`));
      }
    }
  }
});

const PERFETTO = [
  ...['thread', 'process', 'sched', 'thread_state', 'slice', 'instant', 'counter', 'track', 'counter_track'],
  ...['thread_track', 'process_track', 'args', 'android_logs', 'spurious_sched_wakeup', 'cpu', 'stats'],
  ...['metadata', 'clock_snapshot', 'perf_sample', 'stack_profile_frame', 'stack_profile_mapping'],
];
const ETW = etwModules.flatMap(({ sql }) =>
  [...sql.matchAll(/^CREATE PERFETTO (?:TABLE|VIEW) (etw_\w+)/gm)].map(([, name = '']) => name),
);

test.each([...ETW, ...PERFETTO])('IN lists of any kind and length on each column of %s', (table) => {
  const [first] = rowsOf(processor, `SELECT * FROM ${table} LIMIT 1`);
  for (const column of Object.keys(first ?? {})) {
    const values = rowsOf(processor, `SELECT DISTINCT ${column} AS value FROM ${table} LIMIT 4`).map(
      ({ value }) => literal(value ?? null),
    );
    const lists = [
      ...values.map((_, count) => values.slice(0, count)),
      [...values, 'NULL', '0', '-1', '2.5', '1e300', "''", "'x'", '4294967296', '9223372036854775807'],
      Array.from({ length: 300 }, (_, at) => String(at)),
      [`SELECT ${column} FROM ${table}`],
    ];
    for (const list of lists) {
      for (const operator of ['IN', 'NOT IN']) {
        const ask = (left: string) =>
          rowsOf(processor, `SELECT * FROM ${table} WHERE ${left} ${operator} (${list.join()})`)
            .map(inWords)
            .sort();
        expect(ask(column), `${column} ${operator} (${list.join()})`).toEqual(ask(`+${column}`));
      }
    }
  }
});

const inWords = (row: Row): string => Object.values(row).map(literal).join();

function literal(value: Cell): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : String(value);
}
