import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BeginSteps } from './begin-steps.ts';

test('few waits are in one step', () => {
  const steps = new BeginSteps(Float64Array.of(105, 100, 107), { ts: 100, te: 200 });
  expect(steps.next_ts).toBe(100);
  expect([...steps.take()]).toEqual([0, 1, 2]);
  expect(steps.next_ts).toBe(Infinity);
  expect([...steps.take()]).toEqual([]);
});

test('each wait is told once, in a step that begins no later than the wait, and ends behind its begin', () => {
  const span = { ts: 1000, te: 9000 };
  const begins = fc.array(fc.integer({ min: span.ts, max: span.te }), { maxLength: 1000 });
  fc.assert(
    fc.property(begins, (begin_ts) => {
      const steps = new BeginSteps(Float64Array.from(begin_ts), span);
      const told: number[] = [];
      while (steps.next_ts < Infinity) {
        const step_ts = steps.next_ts;
        for (const wait of steps.take()) {
          told.push(wait);
          expect(begin_ts[wait]).toBeGreaterThanOrEqual(step_ts);
          expect(begin_ts[wait]).toBeLessThan(steps.next_ts);
        }
      }
      expect(told.sort((a, b) => a - b)).toEqual(begin_ts.map((_, wait) => wait));
    }),
  );
});
