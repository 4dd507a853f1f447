import { expect, test } from 'vitest';
import { barsOf, histogramBars, percentileOf } from './duration-bins.ts';

test('bars are tenths of a decade, without gaps', () => {
  const counted = [
    { bin: 600, count: 1 },
    { bin: 603, count: 2 },
    { bin: 630, count: 1 },
  ];
  expect(
    histogramBars(counted).map(({ from_ns, to_ns, count }) => [
      Math.round(from_ns),
      Math.round(to_ns),
      count,
    ]),
  ).toEqual([
    [1_000_000, 1_258_925, 3],
    [1_258_925, 1_584_893, 0],
    [1_584_893, 1_995_262, 0],
    [1_995_262, 2_511_886, 1],
  ]);
  expect(histogramBars([])).toEqual([]);
});

test('a percentile is the longest of the bin in which it lies', () => {
  const counted = [
    { bin: 600, count: 9, max_ns: 1_010_000 },
    { bin: 700, count: 1, max_ns: 10_100_000 },
  ];
  expect([0.5, 0.9, 0.91].map((part) => percentileOf(counted, part))).toEqual([
    1_010_000, 1_010_000, 10_100_000,
  ]);
  expect(percentileOf([], 0.5)).toBe(0);
});

test('bars of durations that can be counted hold what lies in their hundredths of a decade', () => {
  const all = Array.from({ length: 3000 }, (_, at) => Math.ceil(1.007 ** at)).concat([
    1e9,
    1e9 - 1,
    1e10,
    1000,
  ]);
  const sorted = all.sort((a, b) => a - b);
  const bars = barsOf({
    shortest: () => sorted[0] ?? Infinity,
    longest: () => sorted.at(-1) ?? 0,
    below: (ns) => sorted.filter((other) => other < ns).length,
  });
  const bins = sorted.map((ns) => ({ bin: Math.floor(100 * Math.log10(ns)), count: 1 }));
  expect(bars).toEqual(histogramBars(bins));
  expect(barsOf({ shortest: () => Infinity, longest: () => 0, below: () => 0 })).toEqual([]);
});
