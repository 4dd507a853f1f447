import { expect, test } from 'vitest';
import { keyFlags } from './key-flags.ts';

test('each key has a flag, and none beyond the largest', () => {
  expect([...keyFlags(new Set([3, 1]))]).toEqual([0, 1, 0, 1]);
  expect([...keyFlags([])]).toEqual([]);
});
