import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resting } from './resting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Changes after pauses in ms, urgent where a pause is negative: whether each waits, and after how many ms which is called back. */
function told(pauses_ms: readonly number[]) {
  const rest = resting();
  const begun_ms = performance.now();
  const calls: (readonly [ms: number, change: number])[] = [];
  const waits = pauses_ms.map((pause_ms, change) => {
    if (pause_ms !== 0) vi.advanceTimersByTime(Math.abs(pause_ms));
    return rest.start(pause_ms < 0, () => calls.push([performance.now() - begun_ms, change]));
  });
  vi.advanceTimersByTime(1000);
  return { waits, calls };
}

test('a change that comes alone is taken at once', () => {
  expect(told([10, 500])).toEqual({
    waits: [false, false],
    calls: [
      [10, 0],
      [510, 1],
    ],
  });
});

test('of changes that follow one another the first and the last are taken', () => {
  expect(told([10, 50, 50, 100])).toEqual({
    waits: [false, true, true, true],
    calls: [
      [10, 0],
      [330, 3],
    ],
  });
});

test('of changes in one turn the last is taken', () => {
  expect(told([10, 0, 0])).toEqual({ waits: [false, false, false], calls: [[10, 2]] });
});

test('an urgent change is taken at once, whatever waits', () => {
  expect(told([10, 50, -20])).toEqual({
    waits: [false, true, false],
    calls: [
      [10, 0],
      [80, 2],
    ],
  });
});
