import { expect, test } from 'vitest';
import { histogramBars, summarise, summariseGroups, type WaitBin } from './summarise.ts';

const lock = { key: 1, pid: 10, process: 'LockApp.exe', tid: null, rank: null, priority: null };
const host = { key: 2, pid: 20, process: 'svchost.exe', tid: null, rank: null, priority: null };
const bins: readonly WaitBin[] = [
  { ...lock, bin: 600, count: 1, sum_ns: 1_000_000, max_ns: 1_000_000 },
  { ...lock, bin: 1028, count: 1, sum_ns: 19_493_000_000, max_ns: 19_493_000_000 },
  { ...host, bin: 600, count: 7, sum_ns: 7_070_000, max_ns: 1_020_000 },
  { ...host, bin: 630, count: 1, sum_ns: 2_000_000, max_ns: 2_000_000 },
];

test('percentiles are waits that occurred: the longest of the bin in which they lie', () => {
  expect(summarise(bins)).toEqual({
    count: 10,
    sum_ns: 19_503_070_000,
    p50_ns: 1_020_000,
    p90_ns: 2_000_000,
    p99_ns: 19_493_000_000,
    max_ns: 19_493_000_000,
    above_p99_ns: 0,
  });
  expect(summarise([])).toEqual({
    count: 0,
    sum_ns: 0,
    p50_ns: 0,
    p90_ns: 0,
    p99_ns: 0,
    max_ns: 0,
    above_p99_ns: 0,
  });
});

test('groups come with the longest wait first', () => {
  const [first, second] = [bins.slice(0, 2), bins.slice(2)];
  expect(summariseGroups(bins)).toEqual([
    { process: 'LockApp.exe', pid: 10, tid: null, rank: null, priority: null, ...summarise(first) },
    { process: 'svchost.exe', pid: 20, tid: null, rank: null, priority: null, ...summarise(second) },
  ]);
});

test('bars are tenths of a decade, without gaps', () => {
  const near = bins.filter(({ bin }) => bin < 1000);
  expect(
    histogramBars(near).map(({ from_ns, to_ns, count }) => [Math.round(from_ns), Math.round(to_ns), count]),
  ).toEqual([
    [1_000_000, 1_258_925, 8],
    [1_258_925, 1_584_893, 0],
    [1_584_893, 1_995_262, 0],
    [1_995_262, 2_511_886, 1],
  ]);
  expect(histogramBars([])).toEqual([]);
});

test('the sum above p99 is of the waits longer than it', () => {
  const many: WaitBin = { ...host, bin: 600, count: 999, sum_ns: 1_000_000_000, max_ns: 1_010_000 };
  expect(summarise([many, ...bins.slice(1, 2)])).toMatchObject({
    p99_ns: 1_010_000,
    above_p99_ns: 19_493_000_000,
  });
});
