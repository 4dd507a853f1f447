import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openArrowTable } from '../arrow-table.ts';
import { memorySource } from '../byte-source.ts';
import { arrowFile, sqlRows, type TestTable, type TypeName, type Value } from '../testing/arrow-files.ts';
import { sqliteDatabase, type RangeIndex } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'outrank-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Prints what SQLite finds wrong with a file, and the rows of its table `t` by rowid, as JSON; integers as text. */
const JUDGE = `
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
check = [row[0] for row in db.execute('PRAGMA integrity_check')]
rows = [[str(v) if isinstance(v, int) else v for v in row] for row in db.execute('SELECT * FROM t ORDER BY rowid')]
print(json.dumps({'check': check, 'rows': rows}))
`;

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import sqlite3']);
    return true;
  } catch {
    console.warn('SKIPPED: python3 with sqlite3, the second judge of SQLite pages, is not here');
    return false;
  }
}

function databaseOf(table: TestTable, indexes: readonly string[], ranges: readonly RangeIndex[] = []) {
  const opened = openArrowTable(memorySource('t.arrow', arrowFile(table)));
  return sqliteDatabase('test', [{ name: 't', table: opened, indexes, ranges, isCounted: true }]);
}

function judge(table: TestTable, indexes: readonly string[]): unknown {
  const database = databaseOf(table, indexes, [{ column: 'te', ascends: true }]);
  const bytes = new Uint8Array(database.sizeBytes);
  expect(database.read(bytes, 0)).toBe(bytes.length);
  const path = join(folder, 'test.db');
  writeFileSync(path, bytes);
  return JSON.parse(execFileSync('python3', ['-c', JUDGE, path], { encoding: 'utf8', maxBuffer: 1 << 30 }));
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.constantFrom('', 'x'.repeat(70_000)),
);
const VALUES: Partial<Record<TypeName, fc.Arbitrary<Value>>> = {
  int8: fc.integer({ min: -128, max: 127 }),
  uint16: fc.integer({ min: 0, max: 65_535 }),
  int32: fc.integer(),
  uint32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  bool: fc.boolean(),
  utf8: text,
  dictionary16: fc.constantFrom('', 'one', 'two', 'é', 'z'.repeat(60), 'y'.repeat(900)),
};
const names = Object.keys(VALUES) as TypeName[];

/** Rows of all these types, repeated so that they fill several pages. */
const tables: fc.Arbitrary<TestTable & { readonly rows: Value[][] }> = fc
  .record({
    distinct: fc.array(fc.tuple(...names.map((name) => fc.option(VALUES[name] ?? fc.constant(null)))), {
      maxLength: 12,
    }),
    times: fc.constantFrom(1, 30, 400),
    batchRows: fc.integer({ min: 1, max: 3000 }),
    isKeyed: fc.boolean(),
  })
  .map(({ distinct, times, batchRows, isKeyed }) => {
    const hasLong = distinct.some((row) =>
      row.some((value) => typeof value === 'string' && value.length > 1000),
    );
    const rows = Array.from({ length: hasLong ? 1 : times }, () => distinct).flat();
    const columns = { te: 'int64' as const, ...Object.fromEntries(names.map((name) => [name, name])) };
    const timed = rows.map((row, i): Value[] => [BigInt(i >> 1) * 4_000_000_007n - 9_000_000_000n, ...row]);
    if (!isKeyed) return { columns, rows: timed, batchRows };
    const keyed = timed.map((row, i): Value[] => [BigInt(i) * 1_000_000_007n - 5n, ...row]);
    return { columns: { ts: 'int64' as const, ...columns }, rows: keyed, batchRows, key: 'ts' };
  });

test.skipIf(!hasPython())('SQLite of another maker finds nothing wrong, and the same rows', () => {
  fc.assert(
    fc.property(tables, (table) => {
      const rows = sqlRows(table).map((row) =>
        Object.values(row).map((value) =>
          typeof value === 'string' || value === null ? value : String(value),
        ),
      );
      const indexes = names.filter((name) => name !== 'utf8');
      expect(judge(table, indexes)).toEqual({ check: ['ok'], rows });
    }),
    { numRuns: 40 },
  );
});

test('bytes are the same however they are asked for, and end where the database does', () => {
  const rows = Array.from({ length: 9000 }, (_, i) => [BigInt(i), i % 7 === 0 ? null : `name ${i % 10}`]);
  const table: TestTable = { columns: { ts: 'int64', name: 'dictionary8' }, rows, key: 'ts' };
  const database = databaseOf(table, ['name']);
  const whole = new Uint8Array(database.sizeBytes);
  database.read(whole, 0);
  const part = new Uint8Array(100_000);
  expect(database.read(part, 50_000)).toBe(100_000);
  expect(part).toEqual(whole.slice(50_000, 150_000));
  expect(database.read(part, database.sizeBytes - 10)).toBe(10);
  expect(database.read(part, database.sizeBytes + 10)).toBe(0);
});

test.each([
  [{ columns: { a: 'int8', A: 'int8' }, rows: [] }, [], '"a" is there twice among the columns of table "t"'],
  [{ columns: {}, rows: [] }, [], 'table "t" has no columns'],
  [{ columns: { a: 'int8' }, rows: [] }, ['b'], 't.arrow: no column "b" for an index'],
  [
    { columns: { a: 'utf8' }, rows: [] },
    ['a'],
    't.arrow: column "a" can have no index: its texts are not bounded',
  ],
] as const)('tables that SQLite cannot have are refused: %j %j', (table, indexes, message) => {
  expect(() => databaseOf(table as unknown as TestTable, indexes)).toThrow(message);
});
