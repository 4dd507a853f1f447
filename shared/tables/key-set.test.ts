import { expect, test } from 'vitest';
import { KeySet } from './key-set.ts';

test('a set has its keys, and no other', () => {
  const keys = new KeySet(new Set([3, 1]));
  expect([-1, 0, 1, 2, 3, 4, 1e6].filter((key) => keys.has(key))).toEqual([1, 3]);
  expect(keys.end).toBe(4);
  expect(new KeySet([]).has(0)).toBe(false);
});
