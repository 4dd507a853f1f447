import { expect, test } from 'vitest';
import type { Batch, Tables } from '../../shared/tables/index.ts';
import { countOnCpus } from './count.ts';

/** Tables whose only rows are runs, in batches of so many. */
function runsOnly(runs: readonly (readonly [ts: number, cpu: number])[], rows: number): Tables {
  const column = (of: readonly number[]) => ({ values: Float64Array.from(of), present: null, texts: null });
  async function* batches<C extends string>(): AsyncIterable<Batch<C>> {
    for (let firstRow = 0; firstRow < runs.length; firstRow += rows) {
      const some = runs.slice(firstRow, firstRow + rows);
      const columns = { ts: column(some.map(([ts]) => ts)), cpu: column(some.map(([, cpu]) => cpu)) };
      yield await Promise.resolve({ firstRow, rowCount: some.length, times: undefined, columns } as Batch<C>);
    }
  }
  return { rowCount: () => Promise.resolve(runs.length), batches };
}

test('runs count where they begin, whatever the order of their ends and however many CPUs there are', async () => {
  // What is before whole steps is one bucket, and the last one has what is left.
  const cut = { edges: [95, 100, 110, 120, 123], steps: { start: 100, end: 120 } };
  const runs = [
    [94, 0],
    [95, 0],
    [99, 1],
    [100, 1],
    [109, 1500],
    [96, 0],
    [110, 0],
    [104, 1],
    [119, 0],
  ] as const;
  const later = [
    [120, 1],
    [122, 1],
    [98, 0],
    [123, 1],
  ] as const;
  const expected = [
    [0, [3, 0, 2, 0]],
    [1, [1, 2, 0, 2]],
    [1500, [0, 1, 0, 0]],
  ];
  for (const rows of [1, 2, 100]) {
    const counts = await countOnCpus(runsOnly([...runs, ...later], rows), cut);
    expect(Array.from(counts, ([cpu, of]) => [cpu, [...of]])).toEqual(expected);
  }
});
