import { expect, test } from 'vitest';
import { rasterLane, ROWS } from './raster.ts';

/** How many rows of each class one pixel has. */
function rowsOf(sums: readonly number[]): Record<number, number> {
  const into = new Uint8Array(ROWS);
  rasterLane(Float64Array.from(sums), sums.length, 1000, [1, 2, 3], new Set([1, 2]), into);
  const counts: Record<number, number> = {};
  for (const of of into) counts[of] = (counts[of] ?? 0) + 1;
  return counts;
}

test('rows are divided by how long each class held', () => {
  expect(rowsOf([0, 250, 250, 500])).toEqual({ 1: 4, 2: 4, 3: 8 });
  expect(rowsOf([500, 0, 0, 500])).toEqual({ 0: 8, 3: 8 });
  expect(rowsOf([0, 0, 1000, 0])).toEqual({ 2: 16 });
});

test('a run too short for a row has one nevertheless, at the cost of the longest', () => {
  expect(rowsOf([0, 1, 0, 999])).toEqual({ 1: 1, 3: 15 });
  expect(rowsOf([0, 1, 1, 998])).toEqual({ 1: 1, 2: 1, 3: 14 });
  expect(rowsOf([999, 1, 0, 0])).toEqual({ 0: 15, 1: 1 });
});
