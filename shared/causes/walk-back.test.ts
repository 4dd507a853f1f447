import { expect, test } from 'vitest';
import type { Batch, Tables, Values } from '../tables/index.ts';
import { walkBack } from './walk-back.ts';

/** Thread, start and end of a run, or of a ready wait by its cause. */
type Row = readonly [utid: number, ts: number, te: number, cause?: 'wake' | 'preempted'];

/** In the order of their ends, but for one of the idle thread: lost events cut it short. */
const RUNS: readonly Row[] = [
  [1, 0, 10],
  [2, 0, 20],
  [3, 20, 20],
  [2, 30, 40],
  [1, 45, 50],
  [3, 40, 60],
  [0, 20, 25],
  [1, 60, 70],
];
/** In the order of their ends: a long one ends after short ones that began later. */
const WAITS: readonly Row[] = [
  [3, 5, 20, 'wake'],
  [2, 20, 30, 'preempted'],
  [3, 40, 40, 'wake'],
  [1, 10, 45, 'wake'],
  [4, 40, 47, 'wake'],
  [1, 55, 60, 'wake'],
  [5, 15, 80, 'wake'],
];
const TEXTS = ['preempted', 'wake'];

/** Both tables in batches of two rows. */
const tables: Tables = {
  rowCount: (table) => Promise.resolve(rowsOf(table).length),
  async *batches<C extends string>(table: string, names: readonly C[]) {
    const rows = rowsOf(table);
    for (let first = rows.length - (rows.length % 2); first >= 0; first -= 2) {
      const own = rows.slice(first, first + 2);
      const columns: Record<string, Values> = {
        utid: valuesOf(own.map(([utid]) => utid)),
        ts: valuesOf(own.map(([, ts]) => ts)),
        te: valuesOf(own.map(([, , te]) => te)),
        cause: { ...valuesOf(own.map(([, , , cause]) => TEXTS.indexOf(cause ?? ''))), texts: TEXTS },
      };
      const of = Object.fromEntries(names.map((name) => [name, columns[name]])) as Batch<C>['columns'];
      yield await Promise.resolve({ firstRow: first, rowCount: own.length, columns: of });
    }
  },
};

function rowsOf(table: string): readonly Row[] {
  return table === 'etw_run' ? RUNS : WAITS;
}

function valuesOf(numbers: readonly number[]): Values {
  return { values: Float64Array.from(numbers), present: null, texts: null };
}

async function told(start: number, end: number, cause: 'wake' | 'preempted'): Promise<string[]> {
  const found: string[] = [];
  await walkBack(
    tables,
    { range: { start, end }, cause, runs: [], waits: [] },
    {
      run: ({ te, utid }, row) => found.push(`${te.values[row]} run of ${utid.values[row]}`),
      wait: ({ ts, utid }, wait) => found.push(`${ts[wait]} wait of ${utid[wait]}`),
    },
  );
  return found;
}

test('goes back over batches, and gives waits where they begin', async () => {
  expect(await told(0, 100, 'wake')).toEqual([
    '70 run of 1',
    '25 run of 0',
    '60 run of 3',
    '55 wait of 1',
    '50 run of 1',
    '40 wait of 4',
    '40 wait of 3',
    '40 run of 2',
    '20 run of 3',
    '20 run of 2',
    '15 wait of 5',
    '10 wait of 1',
    '10 run of 1',
    '5 wait of 3',
  ]);
});

test('of a range gives the runs that touch it, and the waits of a cause that begin in it', async () => {
  expect(await told(12, 45, 'wake')).toEqual([
    '25 run of 0',
    '60 run of 3',
    '40 wait of 4',
    '40 wait of 3',
    '40 run of 2',
    '20 run of 3',
    '20 run of 2',
    '15 wait of 5',
  ]);
  expect(await told(0, 25, 'preempted')).toEqual([
    '25 run of 0',
    '20 wait of 2',
    '20 run of 3',
    '20 run of 2',
    '10 run of 1',
  ]);
});
