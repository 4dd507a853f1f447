import { expect, test } from 'vitest';
import type { EndedWaits } from './ended-waits.ts';
import { MomentColumns, type MomentSum } from './moment-columns.ts';
import { leastLength, sumMoments } from './sum-moments.ts';

const MS = 1_000_000;

/** Waits by when they ended and how long they took, both in ms: the longer of blocked and ready is all but 1 ms of it. */
function waitsOf(
  waits: readonly (readonly [number, number])[],
  since_start: readonly number[] = [],
): EndedWaits {
  return {
    te: Float64Array.from(waits, ([te]) => Math.round(te * MS)),
    waited_ns: Float64Array.from(waits, ([, waited]) => waited * MS),
    longest_ns: Float64Array.from(waits, ([, waited]) => (waited - 1) * MS),
    since_start: new Set(since_start.map((te) => te * MS)),
  };
}

/** Two waits end within one millisecond, one an hour later; one that ended at 7 ms began before the trace. */
const waits = waitsOf(
  [
    [5.1, 5],
    [5.9, 3],
    [7, 6],
    [3_600_000, 20],
  ],
  [7],
);

const all = { start: 0, end: 3_600_001 * MS };

const listed = (moments: MomentColumns) =>
  Array.from({ length: moments.count }, (_, moment) => moments.at(moment));

const inMs = ({ ts, dur, waited_sum_ns, at_least }: MomentSum) =>
  `${ts / MS} ms, for ${dur / MS} ms: ${at_least ? 'at least ' : ''}${waited_sum_ns / MS} ms`;

test('waits are added up by moments, each of which begins where a wait ends', () => {
  const { waits: count, moments } = sumMoments(waits, all, MS, 0);
  expect(count).toBe(4);
  expect(listed(moments).map(inMs)).toEqual([
    '5.1 ms, for 1 ms: 8 ms',
    '7 ms, for 1 ms: at least 6 ms',
    '3600000 ms, for 1 ms: 20 ms',
  ]);
});

test('what ends within one moment is one, whatever ended just before and wherever a millisecond begins', () => {
  const burst = Array.from({ length: 70 }, (_, index) => [10.7 + index / 100, 100] as const);
  const { moments } = sumMoments(waitsOf([[9.8, 2], [10.1, 2], ...burst, [11.5, 2], [11.9, 2]]), all, MS, 0);
  expect(listed(moments).map(inMs)).toEqual([
    '9.8 ms, for 0.9 ms: 4 ms',
    '10.7 ms, for 1 ms: 7002 ms',
    '11.9 ms, for 1 ms: 2 ms',
  ]);
});

test('a wait passes that was blocked or ready for long enough, not one that was so only in sum', () => {
  const { moments } = sumMoments(waits, all, MS, 4 * MS);
  expect(listed(moments).map(({ waited_sum_ns }) => waited_sum_ns)).toEqual([5 * MS, 6 * MS, 20 * MS]);
});

test('the greatest come first, of equals the earlier; each step of time has its greatest', () => {
  const moment = (at_ms: number, waited_sum_ns: number): MomentSum => ({
    ts: at_ms * MS,
    dur: MS,
    waited_sum_ns,
    at_least: false,
  });
  const moments = new MomentColumns(Float64Array.of(MS, 2 * MS, 3 * MS, 9 * MS), MS);
  for (const [row, waited_sum_ns] of [7, 1, 5, 5].entries()) moments.add(row, false, waited_sum_ns);
  expect(moments.greatest(2)).toEqual([moment(1, 7), moment(3, 5)]);
  expect(new MomentColumns(new Float64Array(0), MS).greatest(2)).toEqual([]);
  expect(moments.peaks(4 * MS, 0)).toEqual([
    { ts: 0, dur: 4 * MS, waited_sum_ns: 7, at_least: false },
    { ts: 8 * MS, dur: 4 * MS, waited_sum_ns: 5, at_least: false },
  ]);
});

test('the waits of a moment are told by when they ended', () => {
  const { moments, endsIn } = sumMoments(waits, all, MS, 2 * MS);
  expect(listed(moments).map((moment) => endsIn(moment))).toEqual([
    [5.1 * MS, 5.9 * MS],
    [7 * MS],
    [3_600_000 * MS],
  ]);
});

test('only what ended in the range counts: from its start on, before its end', () => {
  const { moments } = sumMoments(waits, { start: 5.9 * MS, end: 3_600_000 * MS }, MS, 0);
  expect(listed(moments).map(inMs)).toEqual(['5.9 ms, for 1 ms: 3 ms', '7 ms, for 1 ms: at least 6 ms']);
});

test('every wait is in one moment, and no moment is longer than it may be', () => {
  let ts = 0;
  const many = Array.from({ length: 5000 }, (_, index) => {
    ts += ((index * 7919) % 97) / 50;
    return [ts, 1 + ((index * 31) % 7)] as const;
  });
  const { moments, endsIn } = sumMoments(waitsOf(many), all, MS, 0);
  expect(listed(moments).flatMap((moment) => endsIn(moment))).toEqual(
    many.map(([te]) => Math.round(te * MS)),
  );
  expect(Math.max(...listed(moments).map(({ dur }) => dur))).toBeLessThanOrEqual(MS);
});

/** Waits that end at random, some in bursts. */
function randomWaits(count: number): EndedWaits {
  let [ts, seed] = [0, 11];
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  return waitsOf(
    Array.from({ length: count }, () => {
      ts += random(5) === 0 ? random(900) / 1000 : random(40) / 1000;
      return [ts, 1 + random(9)] as const;
    }),
  );
}

/** When moments begin, by what a moment is: each end is compared with all that lie near it. */
function beginsOf({ te, waited_ns }: EndedWaits, bucket_ns: number): readonly number[] {
  const ends = [...te];
  const held = ends.map((begin, at) => {
    let sum = 0;
    for (let other = at; (ends[other] ?? Infinity) < begin + bucket_ns; other++) sum += waited_ns[other] ?? 0;
    return sum;
  });
  const isPeak = (at: number) => {
    const [ts, own_ns] = [ends[at] ?? 0, held[at] ?? 0];
    for (let before = at - 1; (ends[before] ?? -Infinity) > ts - bucket_ns; before--)
      if ((held[before] ?? 0) >= own_ns) return false;
    for (let after = at + 1; (ends[after] ?? Infinity) < ts + bucket_ns; after++)
      if ((held[after] ?? 0) > own_ns) return false;
    return true;
  };
  const begins: number[] = [];
  let until = -Infinity;
  for (const [at, te] of ends.entries()) {
    if (te < until && !isPeak(at)) continue;
    begins.push(te);
    until = te + bucket_ns;
  }
  return begins;
}

test('a moment is cut short only where one begins that holds more than any before near it, and no less than any after', () => {
  const some = randomWaits(3000);
  expect(listed(sumMoments(some, all, MS, 0).moments).map(({ ts }) => ts)).toEqual(beginsOf(some, MS));
});

test('of more waits than are at hand at once, moments of any length are the same', () => {
  const many = randomWaits(30_000);
  for (const bucket_ns of [1, MS / 10, MS, 30 * MS, 400 * MS, 60_000 * MS]) {
    const { waits: count, moments } = sumMoments(many, all, bucket_ns, 0);
    expect(listed(moments).map(({ ts }) => ts)).toEqual(beginsOf(many, bucket_ns));
    expect(count).toBe(30_000);
    expect(listed(moments).reduce((sum, { waited_sum_ns }) => sum + waited_sum_ns, 0)).toBe(
      many.waited_ns.reduce((sum, waited_ns) => sum + waited_ns),
    );
  }
});

test('waits that do not pass change nothing, whether they are few or many, and however long moments were before', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let ts = 0;
  const many = Array.from({ length: 4000 }, () => {
    ts += random(60) / 1000;
    return [ts, 1 + random(50)] as const;
  });
  const mixed = waitsOf(many);
  for (const least of [0, 5, 25, 46, 49])
    for (const bucket_ns of [MS, 3 * MS, MS]) {
      const alone = waitsOf(many.filter(([, waited]) => waited - 1 >= least));
      const { waits: count, moments } = sumMoments(mixed, all, bucket_ns, least * MS);
      expect(listed(moments)).toEqual(listed(sumMoments(alone, all, bucket_ns, 0).moments));
      expect(count).toBe(alone.te.length);
    }
});

test('a length is chosen that no more than some waits have; if even the longest has more, that one', () => {
  const lengths = [10 * MS, 5 * MS, 4 * MS, 0];
  const chosen = [0, 1, 2, 3, 4].map((most) => leastLength(waits, lengths, most));
  expect(chosen).toEqual([10 * MS, 10 * MS, 5 * MS, 4 * MS, 0]);
});
