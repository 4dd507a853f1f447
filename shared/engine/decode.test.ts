import { expect, test } from 'vitest';
import { decodeQueryResult } from './decode.ts';
import { encode, queryResults, randomNumbers } from './testing/reference-codec.ts';
import type { Cell } from './result.ts';
import { concat } from './wire.ts';

function result(columns: readonly string[], cells: readonly Cell[], batchCells = 1000) {
  return decodeQueryResult(
    concat(queryResults(columns, cells, batchCells).map((message) => encode('QueryResult', message))),
  );
}

test('columns come out by name, as numbers, text or rows', () => {
  const rows = result(['ts', 'name', 'share'], [10, 'a', 0.5, 20, null, null]);
  expect(rows.columns).toEqual(['ts', 'name', 'share']);
  expect(rows.rowCount).toBe(2);
  expect(rows.numbers('ts')).toEqual(new Float64Array([10, 20]));
  expect(rows.numbers('share')).toEqual(new Float64Array([0.5, NaN]));
  expect(rows.strings('name')).toEqual(['a', null]);
  expect(rows.cell(1, 0)).toBe(20);
  expect([...rows.rows()]).toEqual([
    { ts: 10, name: 'a', share: 0.5 },
    { ts: 20, name: null, share: null },
  ]);
});

test('a column of nulls is numbers and text alike; a result may have no rows, or no columns', () => {
  expect(result(['x'], [null]).numbers('x')).toEqual(new Float64Array([NaN]));
  expect(result(['x'], [null]).strings('x')).toEqual([null]);
  expect([...result(['x'], []).rows()]).toEqual([]);
  expect(decodeQueryResult(new Uint8Array(0)).columns).toEqual([]);
});

test('a row has a cell for each name, of two columns with one name the last, whatever the name', () => {
  const [row] = result(['a', '__proto__', 'a'], [1, 2, 3]).rows();
  expect(Object.entries(row ?? {})).toEqual([
    ['a', 3],
    ['__proto__', 2],
  ]);
});

test('a wrong name or kind of column is an error that says so', () => {
  const rows = result(['ts', 'name', 'mixed'], [1, 'a', 1, 2, 'b', 'text']);
  expect(() => rows.numbers('tz')).toThrow('no column "tz" among ts, name, mixed');
  expect(() => rows.numbers('name')).toThrow('column "name" holds text, not only number');
  expect(() => rows.strings('ts')).toThrow('column "ts" holds number, not only text');
  expect(() => rows.strings('mixed')).toThrow('column "mixed" holds number, not only text');
  expect(() => rows.cell(2, 0)).toThrow('no cell in row 2, column 0');
});

const INTEGERS: readonly (number | bigint)[] = [
  0,
  1,
  -1,
  127,
  128,
  -128,
  2 ** 28 - 1,
  2 ** 28,
  -(2 ** 28),
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 35,
  2 ** 49,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2n ** 53n,
  -(2n ** 53n),
  2n ** 53n + 1n,
  2n ** 56n,
  -(2n ** 56n),
  2n ** 63n - 1n,
  -(2n ** 63n),
  1_700_000_000_000_000_001n,
];

test('integers keep every digit: as numbers up to 2^53, as bigints beyond', () => {
  const rows = result(['n'], INTEGERS);
  expect(INTEGERS.map((_, i) => rows.cell(i, 0))).toEqual(INTEGERS);
  expect(rows.numbers('n')).toEqual(Float64Array.from(INTEGERS, Number));
});

test('any cells in any batches come out as protobufjs put them in', () => {
  const random = randomNumbers(7);
  const make: readonly (() => Cell)[] = [
    () => null,
    () => Math.floor((random() - 0.5) * 2 ** Math.floor(random() * 54)),
    () => INTEGERS[Math.floor(random() * INTEGERS.length)] ?? 0,
    () => random() * 1e9 + 0.25,
    () => 'é✓'.repeat(Math.floor(random() * 40)),
    () => new Uint8Array(Math.floor(random() * 9)).fill(7),
  ];
  for (let round = 0; round < 200; round++) {
    const columns = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, i) => `c${i}`);
    const cells = Array.from(
      { length: columns.length * Math.floor(random() * 30) },
      () => make[Math.floor(random() * make.length)]?.() ?? null,
    );
    const rows = result(columns, cells, 1 + Math.floor(random() * 50));
    const found = Array.from({ length: rows.rowCount }, (_, row) => columns.map((_, i) => rows.cell(row, i)));
    // `0` and `-0` are the same integer.
    expect(found.flat().map((cell) => (cell === 0 ? 0 : cell))).toEqual(
      cells.map((cell) => (cell === 0 ? 0 : cell)),
    );
  }
});

test('damaged bytes are an error, never a wrong row or a hang', () => {
  const bytes = concat(
    queryResults(['a', 'b'], [1, 'one', 2.5, null], 4).map((message) => encode('QueryResult', message)),
  );
  for (let end = 0; end < bytes.length; end++) {
    const cut = bytes.subarray(0, end);
    const rowCount = (() => {
      try {
        return decodeQueryResult(cut).rowCount;
      } catch (error) {
        expect(error).toMatchObject({ name: 'WireError' });
        return 0;
      }
    })();
    expect(rowCount).toBe(0);
  }
});
