import { expect, test } from 'vitest';
import { timeOrder } from './time-order.ts';

test.each([
  ['none', []],
  ['one', [7]],
  ['equal ones, in the order that they had', [5, 5, 5]],
  ['nearly in order', [1, 2, 4, 3, 9, 8, 10]],
  [
    'a burst in any order, and one far away',
    [...Array.from({ length: 500 }, (_, at) => (at * 7919) % 500), 1e12],
  ],
])('times are put in order: %s', (_, times) => {
  const order = timeOrder(Float64Array.from(times));
  const sorted = [...times.keys()].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  expect([...order]).toEqual(sorted);
});
