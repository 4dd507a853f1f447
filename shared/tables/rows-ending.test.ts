import { expect, test } from 'vitest';
import type { Tables } from './tables.ts';
import { visitRowsEnding, visitRowsFrom } from './rows-ending.ts';

const column = (values: readonly number[]) => ({
  values: Float64Array.from(values),
  present: null,
  texts: null,
});

/** A table of batches in which rows end at some times; `utid` numbers the rows. */
function tableOf(batches: readonly (readonly number[])[]): Tables {
  let rows = 0;
  const all = batches.map((ends) => ({
    rowCount: ends.length,
    columns: { te: column(ends), utid: column(ends.map(() => rows++)) },
  }));
  return {
    rowCount: () => Promise.resolve(rows),
    // eslint-disable-next-line @typescript-eslint/require-await
    batches: async function* () {
      yield* all;
    } as Tables['batches'],
  };
}

async function found(batches: readonly (readonly number[])[], times: readonly number[]): Promise<number[]> {
  const rows: number[] = [];
  const asked = Float64Array.from(times);
  await visitRowsEnding(tableOf(batches), 'etw_run', ['utid'], asked, ({ columns }, row) =>
    rows.push(columns.utid.values[row] ?? NaN),
  );
  return rows;
}

test('the rows that end at some times are found, each once', async () => {
  expect(await found([[1, 3, 3, 5], [5, 8], [9]], [0, 3, 3, 4, 5, 9, 12])).toEqual([1, 2, 3, 4, 6]);
});

test('so are those that stand behind rows that ended later', async () => {
  expect(await found([[10, 30, 50, 20, 70, 60, 80]], [20, 30, 60, 65, 70])).toEqual([3, 1, 5, 4]);
});

test('no row ends at no time', async () => {
  expect(await found([[1, 3]], [])).toEqual([]);
});

test('rows are told from a time on, into the next batches, until enough are known', async () => {
  const told: (readonly number[])[] = [];
  const tables = tableOf([[1, 3, 3, 5], [5, 8], [9]]);
  await visitRowsFrom(tables, 'etw_run', ['utid'], Float64Array.of(3, 4, 8, 10), (at, { columns }, row) => {
    const utid = columns.utid.values[row] ?? NaN;
    told.push([at, utid]);
    return utid !== 4;
  });
  expect(told).toEqual([
    ...[1, 2, 3].map((row) => [0, row]),
    [1, 3],
    ...[
      [0, 4],
      [1, 4],
      [2, 5],
      [2, 6],
    ],
  ]);
});
