import { expect, test } from 'vitest';
import { RowSeeker, type RowAt } from './row-seeker.ts';
import type { Batch, Tables, Values } from './tables.ts';

/** Thread, start and end of a row; null for no thread. */
type Row = readonly [utid: number | null, ts: number, te: number];

const S = 1e9;
/** Rows of threads 1 and 2 over an hour, in the order of their ends: long ones end after short ones that began later. */
const ROWS: readonly Row[] = [
  [1, 0, 0],
  [1, 10, 20],
  [2, 15, 30],
  [null, 16, 31],
  [1, 20, 20],
  [1, S, 2 * S],
  [2, 40, 3 * S],
  [2, 3000 * S, 3001 * S],
  [1, 3 * S, 3600 * S],
];

function values(numbers: readonly (number | null)[]): Values {
  const present = Uint8Array.from(numbers, (number) => Number(number !== null));
  return { values: Float64Array.from(numbers, (number) => number ?? 0), present, texts: null };
}

/** The rows in batches of three, and how many batches were read. */
function tablesOf(rows: readonly Row[]) {
  const batches = Array.from({ length: Math.ceil(rows.length / 3) }, (_, at) => {
    const own = rows.slice(3 * at, 3 * at + 3);
    const columns = {
      utid: values(own.map(([utid]) => utid)),
      ts: values(own.map(([, ts]) => ts)),
      te: values(own.map(([, , te]) => te)),
    };
    return { own, rowCount: own.length, columns };
  });
  const read = { count: 0 };
  const tables: Tables = {
    rowCount: () => Promise.resolve(rows.length),
    // eslint-disable-next-line @typescript-eslint/require-await
    async *batches<C extends string>(
      _: string,
      names: readonly C[],
      range?: { readonly start: number; readonly end: number },
    ) {
      for (const { own, rowCount, columns } of batches) {
        const touches = own.some(([, ts, te]) => !range || (ts < range.end && te > range.start));
        if (!touches) continue;
        read.count++;
        const picked = names.map((name) => [name, columns[name as keyof typeof columns]]);
        yield { firstRow: 0, rowCount, columns: Object.fromEntries(picked) as Batch<C>['columns'] };
      }
    },
  };
  return { read, seeker: new RowSeeker(tables, 'etw_run', 'utid', ['te'], { start: 0, end: 3601 * S }) };
}

async function starts(rows: AsyncIterable<RowAt<'ts'>>, most = Infinity): Promise<number[]> {
  const found: number[] = [];
  for await (const { columns, row } of rows) {
    found.push(columns.ts.values[row] ?? NaN);
    if (found.length === most) break;
  }
  return found;
}

test('the rows of a thread before a time come last first, those from a time on first first', async () => {
  const { seeker } = tablesOf(ROWS);
  expect(await starts(seeker.before(1, 3600 * S))).toEqual([3 * S, S, 20, 10, 0]);
  expect(await starts(seeker.before(1, 20))).toEqual([10, 0]);
  expect(await starts(seeker.from(1, 0))).toEqual([0, 10, 20, S, 3 * S]);
  expect(await starts(seeker.from(2, 40))).toEqual([40, 3000 * S]);
  expect(await starts(seeker.from(2, 40, 3000 * S))).toEqual([40]);
  expect(await starts(seeker.from(2, 3000 * S + 1))).toEqual([]);
  expect(await starts(seeker.before(3, 3600 * S))).toEqual([]);
});

test('no more batches are read than lie around the time, as long as no more is asked for', async () => {
  const { seeker, read } = tablesOf(ROWS);
  expect(await starts(seeker.from(2, 15), 1)).toEqual([15]);
  expect(read.count).toBe(3);
  expect(await starts(seeker.before(2, 3000 * S + 1), 1)).toEqual([3000 * S]);
  expect(read.count).toBe(4);
});
