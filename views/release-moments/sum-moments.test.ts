import { expect, test } from 'vitest';
import { greatest, leastLength, peaksOf, sumMoments } from './sum-moments.ts';

const MS = 1_000_000;

/** Two waits end in one millisecond, one an hour later; one that ended at 7 ms began before the trace. */
const waits = {
  te: Float64Array.of(5.1 * MS, 5.9 * MS, NaN, 3_600_000 * MS),
  blocked_ns: Uint32Array.of(4 * MS, 0, 0, 20 * MS),
  ready_ns: Uint32Array.of(1 * MS, 3 * MS, 2 * MS, 0),
  apart: [{ te: 7 * MS, waited_ns: 6 * MS, longest_ns: 6 * MS, at_least: true }],
};

const all = { start: 0, end: 3_600_001 * MS };

test('waits are added up by moments; one since before the trace counts once, with all that is known of it', () => {
  const { waits: count, moments } = sumMoments(waits, all, MS, 0);
  expect({ count, moments }).toEqual({
    count: 4,
    moments: [
      { bucket: 5, waited_sum_ns: 8 * MS, at_least: false },
      { bucket: 3_600_000, waited_sum_ns: 20 * MS, at_least: false },
      { bucket: 7, waited_sum_ns: 6 * MS, at_least: true },
    ],
  });
});

test('a wait passes that was blocked or ready for long enough, not one that was so only in sum', () => {
  expect(sumMoments(waits, all, MS, 4 * MS).moments.map(({ waited_sum_ns }) => waited_sum_ns)).toEqual([
    5 * MS,
    20 * MS,
    6 * MS,
  ]);
});

test('moments so short that an hour has more than memory should hold add up the same', () => {
  const { moments } = sumMoments(waits, all, 1000, 0);
  expect(moments.map(({ waited_sum_ns }) => waited_sum_ns)).toEqual([5 * MS, 3 * MS, 20 * MS, 6 * MS]);
  const tens = { ...waits, te: Float64Array.of(5000, 5999, NaN, 3_600_000 * MS) };
  expect(sumMoments(tens, all, 1000, 0).moments).toEqual([
    { bucket: 5, waited_sum_ns: 8 * MS, at_least: false },
    { bucket: 3_600_000_000, waited_sum_ns: 20 * MS, at_least: false },
    { bucket: 7000, waited_sum_ns: 6 * MS, at_least: true },
  ]);
});

test('the greatest come first, of equals the earlier; each step of time has its greatest', () => {
  const moment = (bucket: number, waited_sum_ns: number) => ({ bucket, waited_sum_ns, at_least: false });
  const moments = [moment(9, 5), moment(1, 7), moment(3, 5), moment(2, 1)];
  expect(greatest(moments, 2)).toEqual([moment(1, 7), moment(3, 5)]);
  expect(greatest([], 2)).toEqual([]);
  expect(peaksOf(moments, MS, 4 * MS, 0)).toEqual([
    { ts: 0, dur: 4 * MS, waited_sum_ns: 7, at_least: false },
    { ts: 8 * MS, dur: 4 * MS, waited_sum_ns: 5, at_least: false },
  ]);
});

test('the waits of a moment are told by when they ended', () => {
  const some = sumMoments(waits, all, 3 * MS, 2 * MS);
  expect(some.endsIn(greatest(some.moments, 2))).toEqual({
    ends: [5.1 * MS, 5.9 * MS, 3_600_000 * MS],
    since_start: [],
  });
  const long = sumMoments(waits, all, 3 * MS, 6 * MS);
  expect(long.endsIn(long.moments)).toEqual({ ends: [3_600_000 * MS], since_start: [7 * MS] });
});

test('only what ended in the range counts: from its start on, before its end', () => {
  const range = { start: 5.9 * MS, end: 3_600_000 * MS };
  const { moments, endsIn } = sumMoments(waits, range, MS, 0);
  expect(moments.map(({ waited_sum_ns }) => waited_sum_ns)).toEqual([3 * MS, 6 * MS]);
  expect(endsIn(moments)).toEqual({ ends: [5.9 * MS], since_start: [7 * MS] });
});

test('a length is chosen that no more than some waits have; if even the longest has more, that one', () => {
  const lengths = [10 * MS, 5 * MS, 4 * MS, 0];
  const chosen = [0, 1, 2, 3, 4].map((most) => leastLength(waits, lengths, most));
  expect(chosen).toEqual([10 * MS, 10 * MS, 5 * MS, 4 * MS, 0]);
});
