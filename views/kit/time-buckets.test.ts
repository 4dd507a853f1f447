import { expect, test } from 'vitest';
import { cutIntoBuckets } from './time-buckets.ts';

test('a short range gets buckets of one length, the last one what is left', () => {
  expect(cutIntoBuckets({ start: 1000, end: 1002 }, 1000, null)).toEqual({
    edges: [1000, 1001, 1002],
    steps: null,
  });
  const { edges } = cutIntoBuckets({ start: 0, end: 1000 }, 0, 10);
  expect([edges.length, ...edges.slice(0, 3), ...edges.slice(-2)]).toEqual([251, 0, 4, 8, 996, 1000]);
});

test('a long range takes the steps that have sums, and shorter buckets at the ends', () => {
  const { edges, steps } = cutIntoBuckets({ start: 1003, end: 3007 }, 1000, 10);
  expect([edges.length, ...edges.slice(0, 3), ...edges.slice(-2)]).toEqual([
    202, 1003, 1010, 1020, 3000, 3007,
  ]);
  expect(steps).toEqual({ start: 1010, end: 3000 });
  expect(cutIntoBuckets({ start: 1000, end: 3000 }, 1000, 10).edges).toHaveLength(201);
});
