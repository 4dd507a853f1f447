import { expect, test } from 'vitest';
import { percentiles } from './nearest-ranks.ts';

test('percentiles are those of the sorted numbers, with equal ones and in any order', () => {
  // Few different numbers of each size, in no order.
  const values = Float64Array.from(
    { length: 10_000 },
    (_, index) => 2 ** ((index * 7919) % 40) + (index % 3),
  );
  const sorted = values.slice().sort();
  const parts = [0.5, 0.95, 1];
  const expected = { count: 10_000, values: [sorted[4999], sorted[9499], sorted[9999]] };
  expect(percentiles(values, parts)).toEqual(expected);
  // Where there is none, none is counted.
  expect(percentiles(Float64Array.from([...values].flatMap((value) => [NaN, value])), parts)).toEqual(
    expected,
  );
  expect(percentiles(Float64Array.of(0, NaN, 7), [0.5, 0.95])).toEqual({ count: 2, values: [0, 7] });
  expect(percentiles(new Float64Array(0), [0.5])).toEqual({ count: 0, values: [0] });
  expect(percentiles(Float64Array.of(NaN), [0.5])).toEqual({ count: 0, values: [0] });
});
