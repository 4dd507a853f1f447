import { expect, test } from 'vitest';
import { NOT_ENDED } from './wakers.ts';
import { findKnots } from './knots.ts';
import type { WaitsFor } from './woken-waits.ts';

/** A thread was blocked for so long until another one woke it; −1 is an interrupt. */
const waits = (utid: number, waker: number, ns: number): WaitsFor => ({ utid, waker, ns });

test('threads that wait for each other, and for none outside, are a knot', () => {
  const ring = [waits(1, 2, 70), waits(2, 3, 50), waits(3, 1, 30)];
  const blames = [
    { utid: 2, active_ns: 40, blocked_ns: 5, ran_ns: 60 },
    { utid: 1, active_ns: 10, blocked_ns: 0, ran_ns: 20 },
  ];
  expect(findKnots([...ring, waits(4, 1, 900)], blames)).toEqual([
    { utids: [2, 1, 3], within_ns: 150, active_ns: 50, blocked_ns: 5, ran_ns: 80 },
  ]);
});

test('a thread that waits for a thread or an interrupt outside is in no knot, unless that is a trifle', () => {
  const two = [waits(1, 2, 100), waits(2, 1, 100)];
  const within = (...more: WaitsFor[]) => findKnots([...two, ...more], []).map(({ utids }) => utids);
  expect(within()).toEqual([[1, 2]]);
  expect(within(waits(2, 3, 20))).toEqual([]);
  expect(within(waits(2, -1, 20))).toEqual([]);
  expect(within(waits(2, NOT_ENDED, 500))).toEqual([[1, 2]]);
  expect(within(waits(2, 3, 5), waits(1, -1, 5))).toEqual([[1, 2]]);
});

test('a ring of 10,000 threads is one knot', () => {
  const count = 10_000;
  const ring = Array.from({ length: count }, (_, at) => waits(at + 1, ((at + 1) % count) + 1, 1));
  const [knot, ...others] = findKnots(ring, []);
  expect([knot?.utids.length, knot?.within_ns, others]).toEqual([count, count, []]);
});
