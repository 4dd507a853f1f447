import { expect, test } from 'vitest';
import { LengthCounts } from './length-counts.ts';

test('lengths are counted by group and class', () => {
  const counts = new LengthCounts();
  for (const of of [70, 3, 70, 63, 64]) counts.add(200, of);
  counts.add(0, 1023);
  counts.add(1, 0);
  expect(allOf(counts)).toEqual([
    [0, 1023, 1],
    [1, 0, 1],
    [200, 3, 1],
    [200, 63, 1],
    [200, 64, 1],
    [200, 70, 2],
  ]);
});

test('what was counted before it was cleared is not there any more', () => {
  const counts = new LengthCounts();
  for (let group = 0; group < 100; group++) counts.add(group, 5);
  counts.clear();
  counts.add(7, 6);
  expect(allOf(counts)).toEqual([[7, 6, 1]]);
});

function allOf(counts: LengthCounts): number[][] {
  const all: number[][] = [];
  counts.each((...count) => all.push(count));
  return all;
}
