import { expect, test } from 'vitest';
import type { EndedWaits } from './ended-waits.ts';
import { greatest, leastLength, peaksOf, sumMoments, type MomentSum } from './sum-moments.ts';

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

const inMs = ({ ts, dur, waited_sum_ns, at_least }: MomentSum) =>
  `${ts / MS} ms, for ${dur / MS} ms: ${at_least ? 'at least ' : ''}${waited_sum_ns / MS} ms`;

test('waits are added up by moments, each of which begins where a wait ends', () => {
  const { waits: count, moments } = sumMoments(waits, all, MS, 0);
  expect(count).toBe(4);
  expect(moments.map(inMs)).toEqual([
    '5.1 ms, for 1 ms: 8 ms',
    '7 ms, for 1 ms: at least 6 ms',
    '3600000 ms, for 1 ms: 20 ms',
  ]);
});

test('what ends within one moment is one, whatever ended just before and wherever a millisecond begins', () => {
  const burst = Array.from({ length: 70 }, (_, index) => [10.7 + index / 100, 100] as const);
  const { moments } = sumMoments(waitsOf([[9.8, 2], [10.1, 2], ...burst, [11.5, 2], [11.9, 2]]), all, MS, 0);
  expect(moments.map(inMs)).toEqual([
    '9.8 ms, for 0.9 ms: 4 ms',
    '10.7 ms, for 1 ms: 7002 ms',
    '11.9 ms, for 1 ms: 2 ms',
  ]);
});

test('a wait passes that was blocked or ready for long enough, not one that was so only in sum', () => {
  expect(sumMoments(waits, all, MS, 4 * MS).moments.map(({ waited_sum_ns }) => waited_sum_ns)).toEqual([
    5 * MS,
    6 * MS,
    20 * MS,
  ]);
});

test('the greatest come first, of equals the earlier; each step of time has its greatest', () => {
  const moment = (at_ms: number, waited_sum_ns: number): MomentSum => ({
    ts: at_ms * MS,
    dur: MS,
    waited_sum_ns,
    at_least: false,
  });
  const moments = [moment(1, 7), moment(2, 1), moment(3, 5), moment(9, 5)];
  expect(greatest(moments, 2)).toEqual([moment(1, 7), moment(3, 5)]);
  expect(greatest([], 2)).toEqual([]);
  expect(peaksOf(moments, 4 * MS, 0)).toEqual([
    { ts: 0, dur: 4 * MS, waited_sum_ns: 7, at_least: false },
    { ts: 8 * MS, dur: 4 * MS, waited_sum_ns: 5, at_least: false },
  ]);
});

test('the waits of a moment are told by when they ended', () => {
  const { moments, endsIn } = sumMoments(waits, all, MS, 2 * MS);
  expect(moments.map((moment) => endsIn(moment))).toEqual([[5.1 * MS, 5.9 * MS], [7 * MS], [3_600_000 * MS]]);
});

test('only what ended in the range counts: from its start on, before its end', () => {
  const { moments } = sumMoments(waits, { start: 5.9 * MS, end: 3_600_000 * MS }, MS, 0);
  expect(moments.map(inMs)).toEqual(['5.9 ms, for 1 ms: 3 ms', '7 ms, for 1 ms: at least 6 ms']);
});

test('every wait is in one moment, and no moment is longer than it may be', () => {
  let ts = 0;
  const many = Array.from({ length: 5000 }, (_, index) => {
    ts += ((index * 7919) % 97) / 50;
    return [ts, 1 + ((index * 31) % 7)] as const;
  });
  const { moments, endsIn } = sumMoments(waitsOf(many), all, MS, 0);
  expect(moments.flatMap((moment) => endsIn(moment))).toEqual(many.map(([te]) => Math.round(te * MS)));
  expect(Math.max(...moments.map(({ dur }) => dur))).toBeLessThanOrEqual(MS);
});

test('a moment is cut short only where one begins that holds more than any before near it, and no less than any after', () => {
  let [ts, seed] = [0, 11];
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const many = Array.from({ length: 3000 }, () => {
    ts += random(5) === 0 ? random(900) / 1000 : random(40) / 1000;
    return [ts, 1 + random(9)] as const;
  });
  const all_waits = waitsOf(many);
  const ends = [...all_waits.te];
  const held = ends.map((begin) =>
    ends.reduce(
      (sum, te, at) => (te >= begin && te < begin + MS ? sum + (all_waits.waited_ns[at] ?? 0) : sum),
      0,
    ),
  );
  const isPeak = (at: number) =>
    ends.every((te, other) => {
      if (other === at || Math.abs(te - (ends[at] ?? 0)) >= MS) return true;
      const [own_ns, other_ns] = [held[at] ?? 0, held[other] ?? 0];
      return other < at ? other_ns < own_ns : other_ns <= own_ns;
    });
  const peaks = ends.filter((_, at) => isPeak(at));
  const begins: number[] = [];
  let until = -Infinity;
  for (const te of ends) {
    if (te < until) continue;
    begins.push(te);
    until = Math.min(te + MS, peaks.find((peak) => peak > te) ?? Infinity);
  }
  expect(sumMoments(all_waits, all, MS, 0).moments.map((moment) => moment.ts)).toEqual(begins);
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
      expect(moments).toEqual(sumMoments(alone, all, bucket_ns, 0).moments);
      expect(count).toBe(alone.te.length);
    }
});

test('a length is chosen that no more than some waits have; if even the longest has more, that one', () => {
  const lengths = [10 * MS, 5 * MS, 4 * MS, 0];
  const chosen = [0, 1, 2, 3, 4].map((most) => leastLength(waits, lengths, most));
  expect(chosen).toEqual([10 * MS, 10 * MS, 5 * MS, 4 * MS, 0]);
});
