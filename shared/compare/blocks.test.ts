import { expect, test } from 'vitest';
import { Blocks } from './blocks.ts';

const SECOND = 1e9;
const range = { start: 100, end: 100 + 4.25 * SECOND };
const gap = (from_s: number, to_s: number) => ({ ts: 100 + from_s * SECOND, te: 100 + to_s * SECOND });
const values = Float64Array.of(1, 2, 3, 4);

test('a block with a gap does not count, short gaps are no gap', () => {
  const blocks = new Blocks(range, [gap(0.5, 0.509), gap(1.9, 2.1)]);
  expect([...blocks.lengths]).toEqual([SECOND, SECOND, SECOND, 1.25 * SECOND]);
  expect([0, 1, 2, 3].map((block) => blocks.isWhole(block))).toEqual([true, false, false, true]);
  expect([...blocks.whole(values)]).toEqual([1, 4]);
});

test('gaps of several CPUs add up', () => {
  const blocks = new Blocks(range, [gap(3.1, 3.107), gap(3.1, 3.107)]);
  expect([...blocks.whole(values)]).toEqual([1, 2, 3]);
});

test('where all blocks have gaps, all count', () => {
  expect([...new Blocks(range, [gap(0, 4.25)]).whole(values)]).toEqual([1, 2, 3, 4]);
});
