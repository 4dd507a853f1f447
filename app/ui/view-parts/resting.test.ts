import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resting } from './resting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Changes after pauses in ms, urgent where a pause is negative: whether each waits, and after how many ms which is called back. */
async function told(pauses_ms: readonly number[]) {
  const rest = resting();
  const begun_ms = performance.now();
  const calls: (readonly [ms: number, change: number])[] = [];
  const waits: boolean[] = [];
  for (const [change, pause_ms] of pauses_ms.entries()) {
    if (pause_ms !== 0) await vi.advanceTimersByTimeAsync(Math.abs(pause_ms));
    waits.push(rest.start(pause_ms < 0, () => calls.push([performance.now() - begun_ms, change])));
  }
  await vi.advanceTimersByTimeAsync(1000);
  return { waits, calls };
}

test('a change that comes alone is taken at once', async () => {
  expect(await told([10, 500])).toEqual({
    waits: [false, false],
    calls: [
      [10, 0],
      [510, 1],
    ],
  });
});

test('of changes that follow one another the first and the last are taken', async () => {
  expect(await told([10, 50, 50, 100])).toEqual({
    waits: [false, true, true, true],
    calls: [
      [10, 0],
      [330, 3],
    ],
  });
});

test('of changes in one turn the last is taken', async () => {
  expect(await told([10, 0, 0])).toEqual({ waits: [false, false, false], calls: [[10, 2]] });
});

test('an urgent change is taken at once, whatever waits', async () => {
  expect(await told([10, 50, -20])).toEqual({
    waits: [false, true, false],
    calls: [
      [10, 0],
      [80, 2],
    ],
  });
});

test('a turn ends before the next frame is drawn', async () => {
  const rest = resting();
  let isBegun = false;
  rest.start(false, () => (isBegun = true));
  await Promise.resolve();
  expect(isBegun).toBe(true);
});

test('what was stopped is not begun', async () => {
  const rest = resting();
  let begun = 0;
  rest.start(false, () => begun++);
  rest.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(begun).toBe(0);
});
