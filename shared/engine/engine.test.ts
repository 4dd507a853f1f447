import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeQuery } from './bind.ts';
import { decodeQueryResult } from './decode.ts';
import { EngineError } from './engine.ts';
import { GrowingResult } from './growing-result.ts';
import { EngineBench } from './testing/start.ts';
import { lockScreenTrace } from './testing/lock-screen.ts';

let bench: EngineBench;
beforeAll(async () => (bench = await EngineBench.make()));
afterAll(() => bench.end());

const ignore = () => undefined;

test('a trace is loaded with true progress, then answers queries in their order, and builds tables when named', async () => {
  const engine = bench.start();
  const progress: number[] = [];
  const path = await bench.file('lock.pftrace', lockScreenTrace());
  const report = await engine.load(path, (step) => progress.push(step));

  expect(report).toEqual({ issues: [], complete: true });
  expect(progress).toEqual([1]);

  const answers = await Promise.all([1, 2, 3].map((n) => engine.query(`SELECT ${n} AS n`)));
  expect(answers.map((bytes) => decodeQueryResult(bytes).cell(0, 0))).toEqual([1, 2, 3]);

  const query = makeQuery((sql) => engine.query(sql));
  const waits = await query('SELECT dur, rank FROM etw_ready_wait WHERE dur >= :at_least_ns', {
    at_least_ns: 600,
  });
  expect([...waits.rows()]).toEqual([{ dur: 600, rank: 2 }]);
});

test('a result in parts can be read while it comes, and is cut after a number of rows', async () => {
  const engine = bench.start();
  const sql = `
    WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 200000)
    SELECT n, 'odd' AS text, iif(n % 2 = 0, NULL, 9007199254740993) AS large, n / 2.0 AS half, x'0a' AS bytes FROM r`;
  const result = new GrowingResult(150_000);
  const counts: number[] = [];
  await engine.queryInParts(sql, (bytes) => {
    result.push(bytes);
    counts.push(result.rowCount);
  });
  expect(counts.length).toBeGreaterThan(10);
  expect(counts[0]).toBeLessThan(150_000);
  expect([result.rowCount, result.leftOut]).toEqual([150_000, 'rows']);
  const row = (at: number) => result.columns.map((_, column) => result.cell(at, column));
  expect(result.columns).toEqual(['n', 'text', 'large', 'half', 'bytes']);
  expect(row(0)).toEqual([1, 'odd', 9007199254740993n, 0.5, new Uint8Array([10])]);
  expect(row(149_999)).toEqual([150_000, 'odd', null, 75_000, new Uint8Array([10])]);
});

test('a result in parts is cut once its texts take more bytes than they may; equal texts count once', async () => {
  const engine = bench.start();
  const rows = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000)';
  const cut = async (select: string) => {
    const result = new GrowingResult(1000, 4_100_000);
    await engine.queryInParts(`${rows} SELECT ${select} AS text FROM r`, (bytes) => result.push(bytes));
    return result;
  };
  const same = await cut("printf('%.*c', 100000, 'x')");
  expect([same.rowCount, same.leftOut]).toEqual([1000, null]);
  const different = await cut("n || printf('%.*c', 100000, 'x')");
  expect(different.leftOut).toBe('bytes');
  // 200 kB a text, in batches of 128 KiB, so of two rows at most.
  expect([21, 22]).toContain(different.rowCount);
  expect(different.cell(20, 0)).toBe(`21${'x'.repeat(100_000)}`);
});

test('an error in SQL that is asked in parts says where and what, and the engine goes on', async () => {
  const engine = bench.start();
  const ask = (sql: string) => engine.queryInParts(sql, () => undefined);
  await expect(ask('SELECT 1;\nSELECT nope')).rejects.toThrow(
    new EngineError('sql', 'no such column: nope', { line: 2, column: 8 }),
  );
  await expect(ask('SELECT 1 AS one')).resolves.toBeUndefined();
});

test.each([
  ["ATTACH '/etc/passwd' AS x", 'ATTACH is not possible: SQL reaches the loaded trace alone'],
  ["VACUUM INTO '/tmp/outrank-copy.db'", 'unable to open database: /tmp/outrank-copy.db'],
  ["SELECT load_extension('x')", 'no such function: load_extension'],
  ["SELECT readfile('/etc/passwd')", 'no such function: readfile'],
  ["SELECT writefile('/tmp/x', 'y')", 'no such function: writefile'],
  ['INCLUDE PERFETTO MODULE other.module', "INCLUDE: Package 'other.module' not found"],
])('SQL reaches no file, no other database and no foreign package: %s', async (sql, message) => {
  await expect(bench.start().query(sql)).rejects.toThrow(message);
});

test.each([
  ['SELECT 1;\nDROP TABLE etw_thread', 'DROP of etw_thread', { line: 2, column: 1 }],
  ['drop view if exists main.thread', 'DROP of thread', { line: 1, column: 1 }],
  ['CREATE TEMP VIEW etw_thread AS SELECT 5 AS tid', 'CREATE of etw_thread', { line: 1, column: 1 }],
  [
    '-- mine\nCREATE OR REPLACE PERFETTO TABLE etw_run AS SELECT 1 AS ts',
    'CREATE of etw_run',
    { line: 2, column: 1 },
  ],
])('SQL takes no table away that views read: %s', async (sql, what, place) => {
  await expect(bench.start().query(sql)).rejects.toThrow(
    new EngineError('sql', `${what} is not possible: views and findings read it; choose another name`, place),
  );
});

test('SQL makes and drops tables of its own', async () => {
  const sql = `CREATE PERFETTO TABLE mine AS SELECT 'DROP TABLE etw_run' AS a; DROP TABLE mine;
    CREATE TEMP TABLE threads_of_mine(a); DROP TABLE threads_of_mine; WITH etw_thread AS (SELECT 1) SELECT * FROM etw_thread`;
  await expect(bench.start().query(sql)).resolves.toBeInstanceOf(Uint8Array);
});

test('an error in SQL says where and what, and the engine goes on', async () => {
  const engine = bench.start();
  await expect(engine.query('SELECT 1;\nSELECT nope')).rejects.toThrow(
    new EngineError('sql', 'no such column: nope', { line: 2, column: 8 }),
  );
  await expect(engine.query('SELECT 1 AS one')).resolves.toBeInstanceOf(Uint8Array);
});

test.each([
  ['empty.pftrace', '', 'the file is empty'],
  [
    'text.pftrace',
    'Dear reader, this is a letter.\n'.repeat(100),
    'no Perfetto trace: its first bytes (offset 0) are of no known kind',
  ],
])('%s is refused with its path and why, and the engine takes the next file', async (name, bytes, why) => {
  const engine = bench.start();
  const path = await bench.file(name, bytes);
  await expect(engine.load(path, ignore)).rejects.toThrow(new EngineError('load', `${path}: ${why}`));
  const good = await bench.file('good.pftrace', lockScreenTrace());
  await expect(engine.load(good, ignore)).resolves.toEqual({ issues: [], complete: true });
});

test('a file that is not there is named', async () => {
  const path = `${bench.folder}/nowhere.pftrace`;
  await expect(bench.start().load(path, ignore)).rejects.toThrow(
    new EngineError('load', `${path}: ENOENT: no such file or directory`),
  );
});

test('an ended engine rejects what it was asked and what it is asked', async () => {
  const engine = bench.start();
  const loading = engine.load(await bench.file('big.pftrace', new Uint8Array(50_000_000)), ignore);
  const asked = engine.query('SELECT 1');
  const ended = new EngineError('ended', 'the engine was ended');
  const rejections = Promise.all([loading, asked].map((call) => expect(call).rejects.toThrow(ended)));
  await engine.end();
  await rejections;
  await expect(engine.query('SELECT 1')).rejects.toThrow(ended);
});

test('an engine without its WebAssembly says so on the first call', async () => {
  const engine = bench.start(`${bench.folder}/no.wasm`);
  await expect(engine.query('SELECT 1')).rejects.toThrow(
    `cannot start trace_processor from ${bench.folder}/no.wasm: ENOENT: no such file or directory`,
  );
});
