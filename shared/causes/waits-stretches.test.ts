import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Stretch } from '../tables/index.ts';
import { outside } from './asleep.ts';
import { blocksOf, eventsOf, START, steps, type Event } from './random-blocks.ts';
import type { Span } from './stretches.ts';
import { WaitsStretches } from './waits-stretches.ts';
import type { WaitsFor } from './woken-waits.ts';

/** A block that was not for work. */
interface Wait extends Span {
  readonly utid: number;
  readonly waker: number;
}

function waitsOf(events: readonly Event[]): readonly Wait[] {
  const waits: Wait[] = [];
  const begun = new Map<number, number>();
  for (const { ts, utid, waker, isForWork } of events) {
    if (waker === utid) begun.set(utid, ts);
    else if (!isForWork) waits.push({ utid, waker, ts: begun.get(utid) ?? 0, te: ts });
  }
  return waits;
}

/** How long each thread waited for which in a range, by each wait. */
function byWaits(waits: readonly Wait[], { start, end }: Stretch, asleep: readonly Span[]): WaitsFor[] {
  const sums = new Map<number, WaitsFor>();
  for (const { utid, waker, ts, te } of waits) {
    const [from, to] = [Math.max(ts, start), Math.min(te, end)];
    if (from >= to) continue;
    const ns = outside(from, to, asleep);
    const pair = 100 * utid + waker;
    sums.set(pair, { utid, waker, ns: ns + (sums.get(pair)?.ns ?? 0) });
  }
  return [...sums]
    .sort(([a], [b]) => a - b)
    .map(([, of]) => of)
    .filter(({ ns }) => ns > 0);
}

test('ranges have the sums of all waits, also of those that began before the events', () => {
  const part = fc.integer({ min: 0, max: 1000 }).map((of) => of / 1000);
  const cuts = fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 5 });
  const sizes = fc.record({
    together: fc.integer({ min: 1, max: 20 }),
    most: fc.integer({ min: 1, max: 40 }),
    // Of each border thousands.
    mostNumbers: fc.integer({ min: 1, max: 100_000 }),
  });
  fc.assert(
    fc.property(
      steps(0),
      sizes,
      cuts,
      fc.tuple(part, part),
      (all, { together, most, mostNumbers }, parts, slept) => {
        const events = eventsOf(all);
        const whole = { start: START + 10, end: Math.max(START + 11, events.at(-1)?.ts ?? 0) };
        const at = (of: number) => whole.start + Math.round(of * (whole.end - whole.start));
        const asleep = [{ ts: at(slept[0]), te: at(slept[0]) + Math.round(20 * slept[1]) }];
        const isOld = ({ ts, te }: Wait) => ts < whole.start && te >= whole.start;
        // Of some it is not known when they began: these do not count.
        const waits = waitsOf(events).map((wait) =>
          isOld(wait) && wait.utid % 2 === 0 ? { ...wait, ts: wait.te } : wait,
        );
        const told = events.filter(({ ts }) => ts >= whole.start);
        const old = waitsOf(events)
          .map((wait, at) => (isOld(wait) ? waits[at] : undefined))
          .filter((wait) => wait !== undefined);
        const stretches = new WaitsStretches(
          blocksOf(told, together, whole),
          asleep,
          new Map(old.map(({ utid, ts }) => [utid, ts])),
          { most, mostNumbers },
        );
        for (const [a, b] of [[0, 1] as const, ...parts]) {
          const range = { start: at(Math.min(a, b)), end: at(Math.max(a, b)) };
          expect(stretches.sumsIn(range)).toEqual(byWaits(waits, range, asleep));
        }
      },
    ),
    { numRuns: 300 },
  );
});
