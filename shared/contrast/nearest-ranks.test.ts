import { expect, test } from 'vitest';
import { percentiles } from './nearest-ranks.ts';

test('percentiles are those of the sorted numbers, with equal ones and in any order', () => {
  // Few different numbers of each size, in no order.
  const values = Float64Array.from(
    { length: 10_000 },
    (_, index) => 2 ** ((index * 7919) % 40) + (index % 3),
  );
  const sorted = values.slice().sort();
  expect(percentiles(values, [0.5, 0.95, 1])).toEqual([sorted[4999], sorted[9499], sorted[9999]]);
  expect(percentiles(Float64Array.of(0, 7), [0.5, 0.95])).toEqual([0, 7]);
  expect(percentiles(new Float64Array(0), [0.5])).toEqual([0]);
});
