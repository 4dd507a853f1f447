import { expect, test } from 'vitest';
import type { Values } from '../tables/index.ts';
import { Rows } from './rows.ts';

const numbers = (values: Values['values'], present: Uint8Array | null = null): Values => ({
  values,
  present,
  texts: null,
});

/** A column whose rows came in two batches, of which all were picked. */
function column(...[first, second]: readonly [Values, Values]) {
  const rows = new Rows(['utid']);
  for (const values of [first, second]) {
    const rowCount = values.values.length;
    const picked = Uint32Array.from({ length: rowCount }, (_, row) => row);
    rows.append({ rowCount, columns: { utid: values } }, picked, rowCount);
  }
  return rows.column('utid');
}

test('numbers that 32 bits hold exactly take no more; one that is not there is NaN', () => {
  const few = numbers(Uint8Array.of(255));
  const most = numbers(Uint32Array.of(2 ** 24, 7), Uint8Array.of(1, 0));
  expect(column(few, most)).toEqual(Float32Array.of(255, 2 ** 24, NaN));
});

test('all numbers of a column are doubles where one needs it', () => {
  const few = numbers(Uint8Array.of(255));
  expect(column(few, numbers(Uint32Array.of(2 ** 24 + 1)))).toEqual(Float64Array.of(255, 2 ** 24 + 1));
  expect(column(few, numbers(Int32Array.of(-(2 ** 24) - 1)))).toEqual(Float64Array.of(255, -(2 ** 24) - 1));
  expect(column(few, numbers(Float64Array.of(0.1)))).toEqual(Float64Array.of(255, 0.1));
});
