import { expect, test } from 'vitest';
import { openArrowTable } from './arrow-table.ts';
import { memorySource } from './byte-source.ts';
import type { ColumnTable } from './column-table.ts';
import { arrowFile, type TestTable } from './testing/arrow-files.ts';
import { withLengths } from './with-lengths.ts';

/** The values of rows of a column of numbers. */
function numbersOf(table: ColumnTable, column: number, [batch, from, to]: readonly [number, number, number]) {
  const loaded = table.openColumn(column).load(batch, from, to);
  return loaded.kind === 'number' ? loaded.values : null;
}

const open = (table: TestTable) => withLengths(openArrowTable(memorySource('run.arrow', arrowFile(table))));

test('what lasts has its length between its beginning and its end, read as the file has these', () => {
  const table = open({
    columns: { ts: 'int64', te: 'int64', cpu: 'uint8' },
    batchRows: 2,
    rows: [
      [100n, 150n, 1],
      // The lower half of the end is below that of the beginning.
      [2n ** 32n - 1n, 2n ** 33n, 2],
      [7n, 7n, 3],
    ],
  });
  expect(table.columns.map(({ name }) => name)).toEqual(['ts', 'dur', 'te', 'cpu']);
  expect(table.openColumn(1).load(0, 0, 2)).toEqual({
    kind: 'number',
    present: null,
    values: new Uint32Array([50, 0, 1, 1]),
  });
  expect(numbersOf(table, 1, [1, 0, 1])).toEqual(new Uint32Array([0, 0]));
  expect(numbersOf(table, 2, [0, 0, 1])).toEqual(new Uint32Array([150, 0]));
  expect(numbersOf(table, 3, [0, 1, 2])).toEqual(new Uint8Array([2]));
});

test('a row without an end has no length', () => {
  const table = open({
    columns: { ts: 'int64', te: 'int64' },
    rows: [
      [100n, null],
      [100n, 130n],
    ],
  });
  expect(table.columns.map(({ name }) => name)).toEqual(['ts', 'dur', 'te']);
  expect(table.openColumn(1).load(0, 0, 2).present).toEqual(new Uint8Array([0, 1]));
});

test('a table that has lengths, or no times, stays as it is', () => {
  const names = (columns: TestTable['columns']) =>
    open({ columns, rows: [] }).columns.map(({ name }) => name);
  expect(names({ ts: 'int64', dur: 'int64', te: 'int64' })).toEqual(['ts', 'dur', 'te']);
  expect(names({ ts: 'int64', te: 'int32' })).toEqual(['ts', 'te']);
  expect(names({ utid: 'int64', tid: 'int64' })).toEqual(['utid', 'tid']);
});
