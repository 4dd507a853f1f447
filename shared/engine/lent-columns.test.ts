import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNORDERED_METADATA } from '../columns/arrow-table.ts';
import { memorySource, openArrowTable } from '../columns/index.ts';
import { sqliteDatabase } from '../columns/sqlite-pages/index.ts';
import {
  arrowFile,
  sqlRows,
  TYPES,
  type TestTable,
  type TypeName,
  type Value,
} from '../columns/testing/arrow-files.ts';
import { makeQuery } from './bind.ts';
import type { TraceProcessor } from './processor.ts';
import { lockScreenTrace } from './testing/lock-screen.ts';
import { EngineBench, processorWith, rowsOf, startProcessor } from './testing/start.ts';

let bench: EngineBench;
beforeAll(async () => (bench = await EngineBench.make()));
afterAll(() => bench.end());

/** Tables as the engine can be lent them. */
function databaseOf(
  tables: Readonly<Record<string, TestTable>>,
  indexes: Readonly<Record<string, string[]>> = {},
) {
  return sqliteDatabase(
    'test',
    Object.entries(tables).map(([name, table]) => ({
      name,
      table: openArrowTable(memorySource(`${name}.arrow`, arrowFile(table))),
      indexes: indexes[name] ?? [],
    })),
  );
}

async function lend(
  tables: Readonly<Record<string, TestTable>>,
  indexes: Readonly<Record<string, string[]>> = {},
): Promise<TraceProcessor> {
  const processor = await startProcessor();
  processor.finalize();
  processor.lend(databaseOf(tables, indexes));
  return processor;
}

const WAITS: TestTable = {
  columns: { ts: 'int64', dur: 'int64', state: 'dictionary8' },
  key: 'ts',
  rows: [
    [1000n, 51n, 'ready'],
    [1200n, 600n, null],
    [1900n, 100n, 'ready'],
  ],
};

test('tables in columns are asked with and without their schema, joined, and made into tables and functions', async () => {
  const processor = await processorWith(lockScreenTrace());
  processor.lend(databaseOf({ lent_wait: WAITS }));
  expect(rowsOf(processor, 'SELECT * FROM lent_wait')).toEqual([
    { ts: 1000, dur: 51, state: 'ready' },
    { ts: 1200, dur: 600, state: null },
    { ts: 1900, dur: 100, state: 'ready' },
  ]);
  expect(rowsOf(processor, 'SELECT dur FROM facts.lent_wait WHERE ts BETWEEN 1001 AND 1899')).toEqual([
    { dur: 600 },
  ]);
  expect(
    rowsOf(processor, 'SELECT w.dur, l.state FROM etw_ready_wait AS w JOIN lent_wait AS l USING (dur)'),
  ).toEqual([{ dur: 600, state: null }]);
  processor.query('CREATE PERFETTO TABLE copy AS SELECT * FROM lent_wait WHERE state IS NOT NULL');
  processor.query(
    'CREATE PERFETTO FUNCTION lent_dur(ts INT) RETURNS INT AS SELECT dur FROM lent_wait WHERE ts = $ts',
  );
  expect(rowsOf(processor, 'SELECT ts, lent_dur(ts) AS dur FROM copy')).toEqual([
    { ts: 1000, dur: 51 },
    { ts: 1900, dur: 100 },
  ]);
});

test('rows are counted without a look at their columns', async () => {
  const rows = Array.from({ length: 10_000 }, (_, row) => [BigInt(row), BigInt(row), 'ready'] as const);
  const table = openArrowTable(memorySource('wait.arrow', arrowFile({ ...WAITS, key: 'ts', rows })));
  const columns = new Set<string>();
  const watched = {
    ...table,
    openColumn(number: number) {
      const reader = table.openColumn(number);
      const load: typeof reader.load = (...which) => {
        columns.add(table.columns[number]?.name ?? '');
        return reader.load(...which);
      };
      return { ...reader, load };
    },
  };
  const processor = await startProcessor();
  processor.finalize();
  processor.lend(sqliteDatabase('test', [{ name: 'wait', table: watched, isCounted: true }]));
  expect(rowsOf(processor, 'SELECT count(*) AS count FROM wait')).toEqual([{ count: 10_000 }]);
  expect([...columns]).toEqual(['ts']);
  expect(rowsOf(processor, "SELECT count(*) AS count FROM wait WHERE state = 'ready'")).toEqual([
    { count: 10_000 },
  ]);
});

test('temporary views see what is lent; other views do not, and say so when they are asked', async () => {
  const processor = await lend({ lent_wait: WAITS });
  processor.query('CREATE TEMP VIEW temporary AS SELECT max(dur) AS dur FROM lent_wait');
  expect(rowsOf(processor, 'SELECT * FROM temporary')).toEqual([{ dur: 600 }]);
  processor.query('CREATE VIEW plain AS SELECT max(dur) AS dur FROM lent_wait');
  expect(() => processor.query('SELECT * FROM plain')).toThrow('no such table: main.lent_wait');
});

const WRITES_REFUSED = 'attempt to write a readonly database';
test.each([
  ["ATTACH '/etc/passwd' AS x", 'ATTACH is not possible: SQL reaches the loaded trace alone'],
  ["SELECT 1; /* ; */ attach ':memory:' AS x", 'ATTACH is not possible: SQL reaches the loaded trace alone'],
  ["ATTACH 'x.db' AS x", 'ATTACH is not possible: SQL reaches the loaded trace alone'],
  ["ATTACH '/lent/facts' AS x", 'ATTACH is not possible: SQL reaches the loaded trace alone'],
  ['DETACH facts', 'DETACH is not possible: SQL reaches the loaded trace alone'],
  ["VACUUM INTO '/tmp/x.db'", 'unable to open database: /tmp/x.db'],
  ["VACUUM facts INTO '/tmp/x.db'", 'unable to open database: /tmp/x.db'],
  ['VACUUM facts', WRITES_REFUSED],
  ['CREATE TABLE facts.x (a)', WRITES_REFUSED],
  ['CREATE INDEX facts.x ON lent_wait (dur)', WRITES_REFUSED],
  ['INSERT INTO lent_wait VALUES (1, 2, 3)', WRITES_REFUSED],
  ['UPDATE lent_wait SET dur = 0', WRITES_REFUSED],
  ['DELETE FROM lent_wait', WRITES_REFUSED],
  ['DROP TABLE lent_wait', WRITES_REFUSED],
  ['ALTER TABLE facts.lent_wait RENAME TO x', WRITES_REFUSED],
  ['ANALYZE facts', WRITES_REFUSED],
  ['PRAGMA facts.user_version = 1', WRITES_REFUSED],
  ['PRAGMA facts.journal_mode = WAL', WRITES_REFUSED],
  ["PRAGMA writable_schema = ON; UPDATE facts.sqlite_schema SET sql = ''", WRITES_REFUSED],
  ['PRAGMA writable_schema = ON; DELETE FROM facts.sqlite_schema', WRITES_REFUSED],
])('what is lent can be read and nothing else, and no other file: %s', async (sql, message) => {
  const processor = await lend({ lent_wait: WAITS });
  expect(() => processor.query(sql)).toThrow(message);
  expect(rowsOf(processor, 'SELECT sum(dur) AS sum FROM lent_wait')).toEqual([{ sum: 751 }]);
  expect(rowsOf(processor, 'PRAGMA facts.integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

test('ATTACH within texts, names and comments is asked as any SQL', async () => {
  const processor = await lend({ lent_wait: WAITS });
  const sql = `-- ; ATTACH 'x' AS y\nSELECT '; ATTACH' AS "; DETACH", 1 AS attach /* ; DETACH facts */`;
  expect(rowsOf(processor, sql)).toEqual([{ '; DETACH': '; ATTACH', attach: 1 }]);
});

test('what is lent is there in the next trace too, until another database takes its place', async () => {
  const processor = await lend({ lent_wait: WAITS });
  processor.append(lockScreenTrace());
  processor.finalize();
  expect(rowsOf(processor, 'SELECT count(*) AS n FROM lent_wait')).toEqual([{ n: 3 }]);
  processor.lend(databaseOf({ other: { ...WAITS, rows: [] } }));
  expect(rowsOf(processor, 'SELECT count(*) AS n FROM other')).toEqual([{ n: 0 }]);
  expect(() => processor.query('SELECT * FROM lent_wait')).toThrow('no such table: lent_wait');
  processor.lend(null);
  expect(() => processor.query('SELECT * FROM other')).toThrow('no such table: other');
});

/** A value of each kind in turn: least, greatest, ordinary, null. */
const VALUES: Readonly<Record<TypeName, readonly Value[]>> = {
  int8: [-128, 127, 0, 1, null],
  int16: [-32_768, 32_767, 300, null],
  int32: [-2_147_483_648, 2_147_483_647, 70_000, null],
  int64: [-(2n ** 63n), 2n ** 63n - 1n, 5n, null],
  uint8: [0, 255, 128, null],
  uint16: [0, 65_535, 32_768, null],
  uint32: [0, 4_294_967_295, 2_147_483_648, null],
  uint64: [0n, 2n ** 64n - 1n, 2n ** 63n, 7n, null],
  float64: [0.5, -1e300, Infinity, NaN, null, 3],
  utf8: ['', 'a', 'ä€😀', 'x'.repeat(57), 'y'.repeat(58), null],
  bool: [true, false, null],
  dictionary8: ['', 'short', 'z'.repeat(60), null],
  dictionary16: ['Ω', null, 'one', 'two'],
  dictionary32: [null, 'a\nb', "it's"],
};

/** A table of all types. Columns have values of different numbers, so that they meet in many ways. */
function allTypes(rowCount: number, batchRows: number, isNumbered: boolean): TestTable {
  const names = Object.keys(TYPES) as TypeName[];
  const row = (i: number): Value[] => names.map((name) => VALUES[name][i % VALUES[name].length] ?? null);
  const rows = Array.from({ length: rowCount }, (_, i) => row(i));
  const columns = Object.fromEntries(names.map((name) => [`a ${name}`, name]));
  if (isNumbered) return { columns, rows, batchRows };
  return {
    columns: { ts: 'int64', ...columns },
    rows: rows.map((row, i) => [BigInt(i * 7) - 300n, ...row]),
    batchRows,
    key: 'ts',
  };
}

test.each([
  [0, 10],
  [1, 10],
  [2, 1],
  [1000, 1000],
  [1001, 1],
  [5000, 777],
])(
  '%i rows of all types in batches of %i are the same in SQL, by row number and by time',
  async (rowCount, batchRows) => {
    const tables = {
      numbered: allTypes(rowCount, batchRows, true),
      timed: allTypes(rowCount, batchRows, false),
    };
    const processor = await lend(tables);
    expect(rowsOf(processor, 'SELECT * FROM numbered')).toEqual(sqlRows(tables.numbered));
    expect(rowsOf(processor, 'SELECT * FROM timed')).toEqual(sqlRows(tables.timed));
    expect(rowsOf(processor, 'PRAGMA facts.integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const last = tables.timed.rows.length - 1;
    if (last >= 0) {
      expect(rowsOf(processor, `SELECT * FROM timed WHERE ts = ${last * 7 - 300}`)).toEqual([
        sqlRows(tables.timed)[last],
      ]);
      expect(rowsOf(processor, `SELECT * FROM numbered WHERE rowid = ${last}`)).toEqual([
        sqlRows(tables.numbered)[last],
      ]);
    }
  },
);

/** With one column of bytes, a cell has 13 bytes, and its place in the list 2: 4,368 fill a page but for its header. */
const ROWS_OF_FULL_PAGE = Math.floor((65_536 - 8) / (13 + 2));
test.each([-1, 0, 1])('a page that is full, but for %i rows, and one after it', async (more) => {
  const rowCount = ROWS_OF_FULL_PAGE + more;
  const rows = Array.from({ length: rowCount }, (_, i) => [i % 100]);
  const processor = await lend({ t: { columns: { v: 'int8' }, rows } });
  const { pages } =
    rowsOf(processor, 'PRAGMA facts.page_count').map((row) => ({ pages: row.page_count }))[0] ?? {};
  // The schema, the statistics, and the leaves, with a page above them where there are two.
  expect(pages).toBe(more > 0 ? 5 : 3);
  expect(rowsOf(processor, 'SELECT v FROM t')).toEqual(rows.map(([v]) => ({ v })));
});

test('texts longer than a page, of many pages, and at the bound of what a page holds whole', async () => {
  const lengths = [
    0,
    70_000,
    10,
    1_000_000,
    ...Array.from({ length: 40 }, (_, i) => 65_470 + i),
    30_000,
    30_000,
    130_990,
  ];
  const rows = lengths.map((length, i) => [
    BigInt(i * 10),
    `${i}${'abcdefghij'.repeat(Math.ceil(length / 10))}`.slice(0, length),
  ]);
  const table: TestTable = { columns: { ts: 'int64', text: 'utf8' }, key: 'ts', rows, batchRows: 13 };
  const processor = await lend({ t: table });
  expect(rowsOf(processor, 'SELECT * FROM t')).toEqual(sqlRows(table));
  expect(rowsOf(processor, 'SELECT length(text) AS n FROM t WHERE ts = 30')).toEqual([{ n: 1_000_000 }]);
  expect(rowsOf(processor, 'PRAGMA facts.integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

test('an index finds the same rows as a search through all, for each type that can have one', async () => {
  const table = allTypes(3000, 500, false);
  const names = Object.keys(table.columns).filter((name) => name !== 'ts' && name !== 'a utf8');
  const processor = await lend({ t: table, n: allTypes(3000, 500, true) }, { t: names, n: names });
  expect(rowsOf(processor, 'PRAGMA facts.integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  for (const name of names) {
    for (const from of ['t', 'n']) {
      const found = (where: string) =>
        rowsOf(processor, `SELECT rowid AS id FROM ${from} WHERE ${where} ORDER BY id`).map(({ id }) => id);
      const value = `(SELECT "${name}" FROM ${from} LIMIT 1 OFFSET 1)`;
      expect(found(`"${name}" IS ${value}`)).toEqual(found(`+"${name}" IS ${value}`));
      expect(found(`"${name}" IS NULL`)).toEqual(found(`+"${name}" IS NULL`));
    }
  }
  const plan = rowsOf(processor, `EXPLAIN QUERY PLAN SELECT * FROM t WHERE "a int32" = 5`);
  expect(plan.map(({ detail }) => detail)).toEqual(['SEARCH t USING INDEX t_by_a int32 (a int32=?)']);
});

test('a million rows have the sums that they should have', async () => {
  const rows = Array.from({ length: 1_000_000 }, (_, i) => [BigInt(i) * 1000n, i % 1000, `thread ${i % 77}`]);
  const processor = await lend(
    {
      t: { columns: { ts: 'int64', dur: 'int32', name: 'dictionary16' }, rows, key: 'ts', batchRows: 65_536 },
    },
    { t: ['dur'] },
  );
  expect(
    rowsOf(
      processor,
      'SELECT count(*) AS n, sum(dur) AS dur, sum(ts) AS ts, sum(length(name)) AS texts FROM t',
    ),
  ).toEqual([{ n: 1_000_000, dur: 499_500_000, ts: 499_999_500_000_000, texts: 8_870_129 }]);
  expect(rowsOf(processor, 'SELECT count(*) AS n, min(ts) AS first FROM t WHERE dur = 7')).toEqual([
    { n: 1000, first: 7000 },
  ]);
  expect(
    rowsOf(
      processor,
      'SELECT count(*) AS n, min(ts) AS first, max(ts) AS last FROM t WHERE ts >= 123456 AND ts < 7000000',
    ),
  ).toEqual([{ n: 6876, first: 124_000, last: 6_999_000 }]);
});

test('a key that does not ascend, and a file that is cut while it is lent, are named in words', async () => {
  const rows = [[1n], [3n], [2n]];
  const processor = await lend({ t: { columns: { ts: 'int64' }, rows, key: 'ts' } });
  expect(() => processor.query('SELECT * FROM t')).toThrow(
    't.arrow: expected "ts" to ascend, since it is the key: it does not at row 2',
  );
  const bytes = arrowFile(WAITS);
  let endsAt = bytes.length;
  processor.lend(
    sqliteDatabase('test', [
      {
        name: 't',
        table: openArrowTable({
          name: 'cut.arrow',
          sizeBytes: bytes.length,
          read: (into, at) => memorySource('', bytes.subarray(0, endsAt)).read(into, at),
        }),
      },
    ]),
  );
  endsAt = 0;
  expect(() => processor.query('SELECT * FROM t')).toThrow(
    /^cut\.arrow: at byte \d+: expected \d+ more bytes: the file was cut$/,
  );
  endsAt = bytes.length;
  expect(rowsOf(processor, 'SELECT count(*) AS n FROM t')).toEqual([{ n: 3 }]);
});

test('the worker loads a trace with files of columns, and the next without them', async () => {
  const engine = bench.start();
  const query = makeQuery((sql) => engine.query(sql));
  const trace = await bench.file('lock.pftrace', lockScreenTrace());
  const path = await bench.file('lent_wait.arrow', arrowFile(WAITS));
  await engine.load(trace, () => undefined, [{ table: 'lent_wait', path, indexes: ['state'] }]);
  const waits = await query(`SELECT w.rank, l.ts FROM etw_ready_wait AS w JOIN lent_wait AS l USING (dur)`);
  expect([...waits.rows()]).toEqual([{ rank: 2, ts: 1200 }]);
  expect([...(await query("SELECT ts FROM lent_wait WHERE state = 'ready'")).rows()]).toEqual([
    { ts: 1000 },
    { ts: 1900 },
  ]);
  await engine.load(trace, () => undefined);
  await expect(query('SELECT * FROM lent_wait')).rejects.toThrow('no such table: lent_wait');
});

test('a file that holds no columns, or is not there, is named, and the trace is not loaded', async () => {
  const engine = bench.start();
  const trace = await bench.file('lock.pftrace', lockScreenTrace());
  const path = join(bench.folder, 'letter.arrow');
  await writeFile(path, 'Dear reader, this is a letter.');
  const load = (path: string) => engine.load(trace, () => undefined, [{ table: 't', path }]);
  await expect(load(path)).rejects.toMatchObject({
    kind: 'load',
    message: `${path}: at byte 0: expected an Arrow file, which starts with ARROW1`,
  });
  await expect(load(`${path}.not`)).rejects.toMatchObject({ kind: 'load', message: /ENOENT/ });
});

/** Runs on eight CPUs in the order of their ends; each begins up to 800 ns before. */
const RUNS: TestTable = {
  columns: { ts: 'int64', te: 'int64', cpu: 'uint16' },
  rows: Array.from({ length: 200_000 }, (_, row): Value[] => {
    const te = 1_000_000n + 100n * BigInt(row >> 1);
    return [te - BigInt((row * 7919) % 800), te, row % 8];
  }),
  batchRows: 8192,
};

test('a range of time costs what it holds: no index of ascending times is sorted, and none but its rows are read', async () => {
  const file = memorySource('runs.arrow', arrowFile(RUNS));
  let readBytes = 0;
  const counting = {
    ...file,
    read(into: Uint8Array, at: number) {
      readBytes += into.length;
      return file.read(into, at);
    },
  };
  const processor = await startProcessor();
  processor.finalize();
  const ranges = [
    { column: 'ts', ascends: false },
    { column: 'te', ascends: true },
  ];
  processor.lend(
    sqliteDatabase('test', [{ name: 'runs', table: openArrowTable(counting), indexes: ['cpu'], ranges }]),
  );
  const costOf = (sql: string) => {
    const before = readBytes;
    const rows = rowsOf(processor, sql);
    return { rows, bytes: readBytes - before };
  };
  const planOf = (where: string) =>
    rowsOf(processor, `EXPLAIN QUERY PLAN SELECT * FROM runs WHERE ${where}`).map(({ detail }) => detail);
  const counted = (column: 'ts' | 'te', from: bigint, to: bigint) => {
    const at = column === 'ts' ? 0 : 1;
    return RUNS.rows.filter((row) => Number(row[at]) >= from && Number(row[at]) <= to).length;
  };

  expect(planOf('te BETWEEN 5000000 AND 5009999')).toEqual([
    'SEARCH runs USING INDEX runs_by_te (te>? AND te<?)',
  ]);
  expect(planOf('ts BETWEEN 5000000 AND 5009999')).toEqual([
    'SEARCH runs USING INDEX runs_by_ts (ts>? AND ts<?)',
  ]);
  // One bound may leave nearly all: rows in the order of the table are read many times faster.
  expect(planOf('te > 5000000')).toEqual(['SCAN runs']);
  expect(planOf('ts < 5009999 AND te > 5000000')).toEqual(['SCAN runs']);

  const narrow = costOf(
    'SELECT COUNT(*) AS n, SUM(cpu) AS sum FROM runs WHERE te BETWEEN 5000000 AND 5009999',
  );
  expect(narrow.rows).toMatchObject([{ n: counted('te', 5_000_000n, 5_009_999n) }]);
  const whole = costOf('SELECT SUM(ts), SUM(te), SUM(cpu) FROM runs');
  expect(whole.bytes).toBeGreaterThanOrEqual(200_000 * 18);
  expect(narrow.bytes).toBeLessThan(whole.bytes / 20);

  const byStart = 'SELECT COUNT(*) AS n, SUM(cpu) AS sum FROM runs WHERE ts BETWEEN 5000000 AND 5009999';
  expect(costOf(byStart).rows).toMatchObject([{ n: counted('ts', 5_000_000n, 5_009_999n) }]);
  const later = byStart.replaceAll('50', '70');
  expect(costOf(later).bytes).toBeLessThan(whole.bytes / 20);
});

test('a time that does not ascend where it should is an error, not a wrong answer', async () => {
  const rows = RUNS.rows.map((row, at) => (at === 150_000 ? [row[0] ?? null, 5n, row[2] ?? null] : row));
  const processor = await startProcessor();
  processor.finalize();
  const table = openArrowTable(memorySource('runs.arrow', arrowFile({ ...RUNS, rows })));
  processor.lend(
    sqliteDatabase('test', [{ name: 'runs', table, ranges: [{ column: 'te', ascends: true }] }]),
  );
  expect(() => rowsOf(processor, 'SELECT COUNT(cpu) FROM runs WHERE te BETWEEN 8400000 AND 8600000')).toThrow(
    'runs.arrow: expected "te" to ascend, since it has an index for ranges: it does not at row 150000',
  );
});

test('a time that does not ascend is looked up all the same, where the file says so', async () => {
  const engine = bench.start();
  const query = makeQuery((sql) => engine.query(sql));
  const trace = await bench.file('lock.pftrace', lockScreenTrace());
  const rows = Array.from({ length: 10_000 }, (_, row) => [BigInt(row === 700 ? 5 : 10 * row)]);
  const late: TestTable = { columns: { te: 'int64' }, rows, metadata: { [UNORDERED_METADATA]: 'te' } };
  const path = await bench.file('late.arrow', arrowFile(late));
  const ranges = [{ column: 'te', ascends: true }];
  await engine.load(trace, () => undefined, [{ table: 'late', path, ranges }]);
  const found = await query('SELECT te FROM late WHERE te BETWEEN 1 AND 20 ORDER BY te');
  expect([...found.rows()]).toEqual([{ te: 5 }, { te: 10 }, { te: 20 }]);
});
