import { expect, test } from 'vitest';
import { Blocks } from './blocks.ts';
import { Cells } from './cells.ts';
import { FlatSums } from './flat-sums.ts';
import { classOf } from './lengths.ts';

const things = {
  processes: [],
  threads: [],
  processOf: (upid: number) => upid,
  threadOf: (utid: number) => utid,
  tidOf: (utid: number) => 10 * utid,
};

test('sums of many cells come into each cell, by block, with lengths and the longest', () => {
  const blocks = new Blocks({ start: 0, end: 3e9 }, []);
  const cells = new Cells(blocks.count);
  const sums = new FlatSums(blocks);
  for (let round = 1; round <= 2; round++)
    for (let thread = 0; thread < 200; thread++) {
      const number = sums.numberOf(cells.of(thread, { measure: 'cpu', rank: 1, priority: 8 }));
      const [ts, te] = [1.5e9 * (round - 1), 1.5e9 * (round - 1) + 1e9 + thread];
      sums.addRuns(
        Int32Array.of(-1, number),
        Float64Array.of(0, ts),
        Float64Array.of(1, te),
        Uint16Array.of(1, thread),
      );
    }
  sums.finish(things);
  const all = cells.all();
  expect(all.map(({ thread }) => thread)).toStrictEqual(Array.from({ length: 200 }, (_, thread) => thread));
  expect(all[150]).toStrictEqual({
    thread: 150,
    detail: { measure: 'cpu', rank: 1, priority: 8 },
    ns: Float64Array.of(1e9, 0.5e9 + 150, 0.5e9 + 150),
    count: Float64Array.of(1, 1, 0),
    lengths: new Map([[classOf(1e9 + 150), 2]]),
    functions: new Map(),
    most: { ts: 0, te: 1e9 + 150, tid: 1500, counted_ns: 1e9 + 150 },
  });
});
