import { expect, test } from 'vitest';
import { histogramBars, percentileOf } from './duration-bins.ts';

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
