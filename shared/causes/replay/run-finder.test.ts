import { expect, test } from 'vitest';
import { RunFinder } from './run-finder.ts';

test('the run that a time lies in is found from anywhere', () => {
  // Thread 1 runs from 10 k to 10 k + 6, thread 2 in between; thread 3 never.
  const starts = Float64Array.from({ length: 200 }, (_, run) => 10 * (run >> 1) + 6 * (run & 1));
  const ends = starts.map((start, run) => start + (run & 1 ? 4 : 6));
  const utids = starts.map((_, run) => 1 + (run & 1));
  const finder = new RunFinder(utids, starts, ends, 4);
  // Near each other, far apart, and back; at the ends of runs, between them, and after all.
  const asked = [3, 4, 6, 7, 10, 505, 990, 995, 996, 2000, 12, 0, 400, 396];
  const expected = (utid: number, ts: number) =>
    utids.findIndex((of, run) => of === utid && (ends[run] ?? 0) >= ts && (starts[run] ?? 0) <= ts);
  for (const utid of [1, 2, 3])
    expect(asked.map((ts) => finder.at(utid, ts))).toEqual(asked.map((ts) => expected(utid, ts)));
});
