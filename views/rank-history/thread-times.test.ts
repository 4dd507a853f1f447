import { expect, test } from 'vitest';
import { ThreadTimes } from './thread-times.ts';

test('how much of a stretch some stretches take', () => {
  const times = new ThreadTimes();
  expect(times.within(0, 100)).toBe(0);
  times.add(10, 20);
  times.add(20, 25);
  times.add(40, 60);
  expect(times.within(0, 100)).toBe(35);
  expect(times.within(15, 45)).toBe(15);
  expect(times.within(12, 18)).toBe(6);
  expect(times.within(25, 40)).toBe(0);
  expect(times.within(60, 100)).toBe(0);
});
