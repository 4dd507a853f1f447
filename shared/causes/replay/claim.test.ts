import { expect, test } from 'vitest';
import { claimOf, withPriority, withRank } from './claim.ts';

test('rank goes before priority', () => {
  const inOrder = [claimOf(0, 31), claimOf(0, 8), claimOf(0, 0), claimOf(2, 14), claimOf(2, 4)];
  expect([...inOrder].sort((one, other) => one - other)).toEqual(inOrder);
});

test('one of the two is changed alone', () => {
  expect(withRank(claimOf(2, 14), 0)).toBe(claimOf(0, 14));
  expect(withRank(claimOf(0, 0), 1)).toBe(claimOf(1, 0));
  expect(withPriority(claimOf(2, 14), 4)).toBe(claimOf(2, 4));
  expect(withPriority(claimOf(0, 31), 0)).toBe(claimOf(0, 0));
});

test('numbers that Windows does not have make no more claims', () => {
  expect(claimOf(1e9, -3)).toBe(claimOf(255, 0));
});
