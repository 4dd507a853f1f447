import { expect, test } from 'vitest';
import { bytesOfCounts, countsOf } from './count-bytes.ts';

test('small counts take a byte, and all come back', () => {
  expect([...bytesOfCounts([0, 1, 127])]).toEqual([0, 1, 127]);
  expect([...bytesOfCounts([128, 300])]).toEqual([0x80, 1, 0xac, 2]);
  const counts = [0, 1, 127, 128, 300_000, 2 ** 40, Number.MAX_SAFE_INTEGER];
  expect([...countsOf(bytesOfCounts(counts))]).toEqual(counts);
  expect([...countsOf(bytesOfCounts([]))]).toEqual([]);
});
