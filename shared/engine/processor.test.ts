import { beforeAll, expect, test } from 'vitest';
import { decodeQueryResult } from './decode.ts';
import { EngineError } from './engine.ts';
import { lockScreenTrace } from './testing/lock-screen.ts';
import { rowsOf, startProcessor } from './testing/start.ts';
import type { TraceProcessor } from './processor.ts';

let processor: TraceProcessor;
beforeAll(async () => {
  processor = await startProcessor();
  processor.finalize();
});

test('a result of 300 000 rows comes whole, though the engine gives it in pieces', () => {
  const count = 300_000;
  const rows = decodeQueryResult(
    processor.query(`
      WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < ${count})
      SELECT n, 'row ' || n AS name, n * 1000000000 AS ts, n / 4.0 AS share FROM r`),
  );
  expect(rows.rowCount).toBe(count);
  const [numbers, names, times, shares] = [
    rows.numbers('n'),
    rows.strings('name'),
    rows.numbers('ts'),
    rows.numbers('share'),
  ];
  for (let row = 0; row < count; row++) {
    const n = row + 1;
    if (numbers[row] !== n || names[row] !== `row ${n}` || times[row] !== n * 1e9 || shares[row] !== n / 4) {
      expect(rows.cell(row, 0), `row ${row}`).toBe(n);
      expect(rows.cell(row, 1)).toBe(`row ${n}`);
    }
  }
});

test.each<[string, string, [number, number] | null]>([
  ['SELECT x FROM y', 'no such table: y', [1, 1]],
  ['SELECT\n  foo(1)', 'no such function: foo', [2, 3]],
  ['SELECT 1;\nSELECT 2;\nSELEC 3', "syntax error near 'SELEC'", [3, 1]],
  ["SELECT 'abc", 'illegal token', [1, 8]],
  ['', 'No valid SQL to run', null],
  ['SELECT * FROM (SELECT 1', 'preprocessor syntax error', [1, 24]],
  ['INCLUDE PERFETTO MODULE nope.x', "INCLUDE: Package 'nope.x' not found", null],
  [
    "CREATE PERFETTO TABLE t AS SELECT 1 AS a UNION ALL SELECT 'x'",
    "CREATE PERFETTO TABLE(t): column 'a' was inferred to be LONG, but later received a value of type STRING",
    [1, 1],
  ],
])('%j fails with its place and what is wrong', (sql, message, place) => {
  expect(() => processor.query(sql)).toThrow(
    new EngineError('sql', message, place && { line: place[0], column: place[1] }),
  );
});

test('an error in a module names the module and the line there', () => {
  processor.register('bad', [{ name: 'bad.one', sql: 'SELECT\n  nope;' }]);
  expect(() => processor.query('SELECT 1;\nINCLUDE PERFETTO MODULE bad.one;')).toThrow(
    new EngineError('sql', 'module bad.one, line 2, column 3: no such column: nope', { line: 2, column: 1 }),
  );
});

const INCOMPLETE = [
  'SELECT',
  'SELECT 1 +',
  'SELECT 1 FROM sched WHERE',
  'SELECT * FROM sched LIMIT;',
  'SELECT 1 ORDER BY -- x',
];

test('SQL that ends too early is an error, a thousand times over, and the engine stays sound', () => {
  for (let i = 0; i < 1000; i++) {
    const sql = INCOMPLETE[i % INCOMPLETE.length] ?? '';
    expect(() => processor.query(sql)).toThrow(
      new EngineError('sql', 'incomplete SQL statement', { line: 1, column: sql.length + 1 }),
    );
  }
  processor.append(lockScreenTrace());
  processor.finalize();
  expect(rowsOf(processor, 'SELECT count(*) AS switches FROM sched')).toEqual([{ switches: 8 }]);
});

test('memory that runs out ends the engine, in words', async () => {
  const doomed = await startProcessor(128 * 1024 * 1024);
  doomed.finalize();
  const hoard = `
    CREATE PERFETTO TABLE hoard AS
    WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
    SELECT n FROM r`;
  const gone = /^the trace needs more memory than trace_processor can have \(it holds 0.1 GiB\)$/;
  expect(() => doomed.query(hoard)).toThrow(gone);
  expect(() => doomed.query('SELECT 1')).toThrow(gone);
});
