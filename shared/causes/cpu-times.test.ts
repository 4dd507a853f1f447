import { expect, test } from 'vitest';
import type { Batch, Tables, Values } from '../tables/index.ts';
import { CpuTimes } from './cpu-times.ts';

type Run = readonly [utid: number, ts: number, te: number];

const valuesOf = (numbers: readonly number[]): Values => ({
  values: Float64Array.from(numbers),
  present: null,
  texts: null,
});
const batchOf = (runs: readonly Run[]) => ({
  firstRow: 0,
  rowCount: runs.length,
  columns: {
    utid: valuesOf(runs.map(([utid]) => utid)),
    ts: valuesOf(runs.map(([, ts]) => ts)),
    te: valuesOf(runs.map(([, , te]) => te)),
  },
});

test('parts of a range have the CPU time that runs have there', async () => {
  // In the order of their ends; threads with keys far apart, runs across steps and across the ends of the range.
  const runs = Array.from({ length: 4000 }, (_, at): Run => {
    const te = 500 + 7 * at;
    return [[1, 300, 2, 5000, 17][at % 5] ?? 0, te - ((at * 37) % 900), te];
  });
  const range = { start: 1000, end: 27_000 };
  const times = new CpuTimes(range);
  times.add(batchOf(runs));
  const tables: Tables = {
    rowCount: () => Promise.resolve(runs.length),
    async *batches<C extends string>(_: string, names: readonly C[]) {
      const { columns, ...batch } = batchOf(runs);
      const known: Readonly<Record<string, Values>> = columns;
      const of = Object.fromEntries(names.map((name) => [name, known[name]])) as Batch<C>['columns'];
      yield await Promise.resolve({ ...batch, columns: of });
    },
  };
  for (const [start, end] of [
    [1000, 27_000],
    [1001, 27_000],
    [1000, 14_000],
    [5000, 5100],
    [12_345, 23_456],
  ] as const) {
    const expected: Record<number, number> = {};
    for (const [utid, ts, te] of runs) {
      const ns = Math.min(te, end) - Math.max(ts, start);
      if (ns > 0) expected[utid] = (expected[utid] ?? 0) + ns;
    }
    const ran = [...(await times.within(tables, { start, end }))].entries();
    expect(Object.fromEntries([...ran].filter(([, ns]) => ns > 0))).toEqual(expected);
  }
});
