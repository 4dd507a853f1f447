import { expect, test } from 'vitest';
import { Listening } from './listening.ts';
import { Presence } from './presence.ts';

test('a presence knows what CPUs did while a wait needed it, and a little longer', () => {
  const cpus = { state: Int32Array.of(5, 5), now: 0 };
  const [needed, other] = [new Presence(cpus, []), new Presence(cpus, [1])];
  const listening = new Listening();
  const enter = (ts: number, state: number) => {
    cpus.now = ts;
    cpus.state[0] = state;
    listening.change(0);
    listening.settle();
  };
  enter(10, 6);
  listening.begin(needed);
  enter(20, 7);
  listening.end(needed);
  for (const [at, state] of [8, 9, 10, 11, 13].entries()) enter(30 + at, state);
  listening.begin(needed);
  enter(40, 12);
  expect([...needed.ts.subarray(0, needed.count)]).toEqual([10, 20, 30, 31, 32, 34, 40]);
  const statesIn = (stretch: number) =>
    Array.from({ length: 32 }, (_, state) => state).filter(
      (state) => (needed.bits[stretch] ?? 0) & (1 << state),
    );
  expect(Array.from({ length: needed.count }, (_, stretch) => statesIn(stretch))).toEqual([
    [5, 6],
    [5, 7],
    [5, 8],
    [5, 9],
    [5, 10],
    [5, 13],
    [5, 12],
  ]);
  expect(other.count).toBe(0);
});
