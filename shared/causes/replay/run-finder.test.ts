import { expect, test } from 'vitest';
import { NO_RUN, RunFinder } from './run-finder.ts';

test('the run that a time lies in is found from anywhere', () => {
  // Thread 1 runs from 10 k to 10 k + 6, thread 2 in between; thread 3 never.
  const starts = Float64Array.from({ length: 200 }, (_, run) => 10 * (run >> 1) + 6 * (run & 1));
  const ends = starts.map((start, run) => start + (run & 1 ? 4 : 6));
  const own = [[], [0], [1]].map((first) =>
    Uint32Array.from(first.length === 0 ? [] : { length: 100 }, (_, k) => 2 * k + (first[0] ?? 0)),
  );
  const finder = new RunFinder((utid) => own[utid] ?? new Uint32Array(0), starts, ends, 4);
  // Near each other, far apart, and back; at the ends of runs, between them, and after all.
  const asked = [3, 4, 6, 7, 10, 505, 990, 995, 996, 2000, 12, 0, 400, 396];
  const expected = (utid: number, ts: number) =>
    [...(own[utid] ?? [])].find((run) => (ends[run] ?? 0) >= ts && (starts[run] ?? 0) <= ts) ?? NO_RUN;
  for (const utid of [1, 2, 3])
    expect(asked.map((ts) => finder.at(utid, ts))).toEqual(asked.map((ts) => expected(utid, ts)));
});
