import { expect, test } from 'vitest';
import type { Values } from '../tables/index.ts';
import { ColumnMemory, Rows } from './rows.ts';

const numbers = (values: Values['values'], present: Uint8Array | null = null): Values => ({
  values,
  present,
  texts: null,
});

/** A column whose rows came in two batches. All rows were picked. */
function column(...[first, second]: readonly [Values, Values]) {
  const rows = new Rows(['utid']);
  for (const values of [first, second]) {
    const rowCount = values.values.length;
    const picked = Uint32Array.from({ length: rowCount }, (_, row) => row);
    rows.append({ firstRow: 0, rowCount, columns: { utid: values } }, picked, rowCount);
  }
  return rows.column('utid');
}

test('numbers of many rows that 32 bits hold exactly take no more; one that is not there is NaN', () => {
  const few = numbers(Uint8Array.of(255));
  const most = numbers(Uint32Array.of(2 ** 24, 7), Uint8Array.of(1, 0));
  expect(column(few, most)).toEqual(Float64Array.of(255, 2 ** 24, NaN));
  const many = numbers(new Uint8Array(2 ** 20));
  const values = column(most, many);
  expect(values).toBeInstanceOf(Float32Array);
  expect(values.subarray(0, 3)).toEqual(Float32Array.of(2 ** 24, NaN, 0));
});

test('all numbers of a column are doubles where one needs it', () => {
  const few = numbers(Uint8Array.of(255));
  expect(column(few, numbers(Uint32Array.of(2 ** 24 + 1)))).toEqual(Float64Array.of(255, 2 ** 24 + 1));
  expect(column(few, numbers(Int32Array.of(-(2 ** 24) - 1)))).toEqual(Float64Array.of(255, -(2 ** 24) - 1));
  expect(column(few, numbers(Float64Array.of(0.1)))).toEqual(Float64Array.of(255, 0.1));
});

test('memory that has served other rows leaves nothing of these', () => {
  const memory = new ColumnMemory();
  const gathered = (...all: readonly Values[]) => {
    const rows = new Rows(['utid'], memory);
    for (const utid of all)
      rows.appendFrom({ firstRow: 0, rowCount: utid.values.length, columns: { utid } }, 0);
    return rows.column('utid');
  };
  expect(gathered(numbers(Uint8Array.of(1, 2)), numbers(Uint8Array.of(3)))).toEqual(Float64Array.of(1, 2, 3));
  expect(gathered(numbers(Uint8Array.of(9, 9), Uint8Array.of(0, 1)))).toEqual(Float64Array.of(NaN, 9));
  expect(gathered(numbers(Uint8Array.of(5, 6, 7, 8)))).toEqual(Float64Array.of(5, 6, 7, 8));
});

test('the rows of a key are the same before and after many keys were asked for', () => {
  const picked = Uint32Array.of(0, 1, 3);
  const rows = new Rows(['cpu']);
  rows.append({ firstRow: 0, rowCount: 4, columns: { cpu: numbers(Uint8Array.of(1, 2, 9, 1)) } }, picked, 3);
  rows.append(
    {
      firstRow: 4,
      rowCount: 4,
      columns: { cpu: numbers(Uint8Array.of(0, 1, 1, 2), Uint8Array.of(1, 0, 1, 1)) },
    },
    picked,
    3,
  );
  const all = () => [0, 1, 2, 3, 9].map((key) => [...rowsOn(key)]);
  const rowsOn = rows.by('cpu');
  const told = [[3], [0, 2], [1, 5], [], []];
  expect(all()).toEqual(told);
  expect(all()).toEqual(told);
  expect([9, 3, 2, 1, 0].map((key) => [...rows.by('cpu')(key)])).toEqual([...told].reverse());
});

test('a row has the same number and text before its column is asked for and after', () => {
  const rows = new Rows<'rank' | 'cause'>(['rank', 'cause']);
  const cause = (values: Uint8Array, texts: readonly string[]): Values => ({ values, present: null, texts });
  rows.append(
    {
      firstRow: 0,
      rowCount: 3,
      columns: {
        rank: numbers(Int8Array.of(1, 2, 3)),
        cause: cause(Uint8Array.of(0, 1, 0), ['wake', 'preempted']),
      },
    },
    Uint32Array.of(0, 2),
    2,
  );
  rows.append(
    {
      firstRow: 3,
      rowCount: 2,
      columns: {
        rank: numbers(Int8Array.of(4, 5), Uint8Array.of(0, 1)),
        cause: cause(Uint8Array.of(0, 1), ['moved', 'wake']),
      },
    },
    Uint32Array.of(0, 1),
    2,
  );
  const all = () => [0, 1, 2, 3, 4].map((row) => [rows.number('rank', row), rows.text('cause', row)]);
  const told = [
    [1, 'wake'],
    [3, 'wake'],
    [null, 'moved'],
    [5, 'wake'],
    [null, null],
  ];
  expect(all()).toEqual(told);
  rows.column('rank');
  rows.column('cause');
  expect(all()).toEqual(told);
});
