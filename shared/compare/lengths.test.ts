import { expect, test } from 'vitest';
import { classOf, Lengths, middleOf } from './lengths.ts';

test('the middle of the class of a length lies within half a class of it', () => {
  for (const ns of [1, 99, 65_535, 65_536, 1e9])
    expect(Math.abs(Math.log2(middleOf(classOf(ns)) / ns))).toBeLessThanOrEqual(1 / 32);
});

test('lengths are counted by class and block, and picked by block', () => {
  const lengths = new Lengths(Float64Array.of(9, 5, 7));
  lengths.add(0, 17, 2);
  lengths.add(2, 3, 1);
  lengths.add(0, 17, 1);
  expect(lengths.classes).toEqual([17, 3]);
  expect([...lengths.counts]).toEqual([3, 0, 0, 0, 0, 1]);
  const picked = lengths.of((values) => values.filter((_, block) => block !== 1));
  expect([...picked.longest]).toEqual([9, 7]);
  expect(picked.classes).toEqual([17, 3]);
  expect([...picked.counts]).toEqual([3, 0, 0, 1]);
});
