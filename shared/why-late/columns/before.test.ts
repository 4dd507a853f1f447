import { expect, test } from 'vitest';
import type { Batch, Tables, Values } from '../../tables/index.ts';
import { reasonsBefore, toldReasons } from './before.ts';

/** Runs: `ts`, `te`, `utid`, and the place of the reason; -1 for none. */
const RUNS = [
  [0, 10, 1, 0],
  [10, 10, 1, 1],
  [5, 20, 2, 1],
  [8, 20, 3, -1],
  [30, 30, 4, 0],
] as const;
const REASONS = ['UserRequest', 'WrQueue'];

const valuesOf = (numbers: readonly number[]): Values => ({
  values: Float64Array.from(numbers),
  present: null,
  texts: null,
});

const tables: Tables = {
  rowCount: () => Promise.resolve(RUNS.length),
  // eslint-disable-next-line @typescript-eslint/require-await
  async *batches<C extends string>(): AsyncIterable<Batch<C>> {
    const columns: Readonly<Record<string, Values>> = {
      ts: valuesOf(RUNS.map(([ts]) => ts)),
      te: valuesOf(RUNS.map(([, te]) => te)),
      utid: valuesOf(RUNS.map(([, , utid]) => utid)),
      switch_out_wait_reason: {
        values: Float64Array.from(RUNS, ([, , , reason]) => Math.max(0, reason)),
        present: Uint8Array.from(RUNS, ([, , , reason]) => Number(reason >= 0)),
        texts: REASONS,
      },
    };
    yield { firstRow: 0, rowCount: RUNS.length, columns: columns };
  },
};

const waits = [1, 2, 3, 4, 5].map((utid) => ({
  utid,
  last_switch_out_ts: [10, 20, 20, 30, null][utid - 1] ?? null,
}));

test('the reason for which a thread left its CPU is that of its run there, not of one without a length', async () => {
  expect(await reasonsBefore(tables, waits)).toEqual(['UserRequest', 'WrQueue', null, null, null]);
});

test('what is told of many waits has each reason, and may have those of runs without a length', async () => {
  const told = await toldReasons(tables, waits);
  expect(told.map((text) => text.trim().split('\n'))).toEqual([
    ['UserRequest', 'WrQueue'],
    ['WrQueue'],
    [''],
    ['UserRequest'],
    [''],
  ]);
});
