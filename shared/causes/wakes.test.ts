import { expect, test } from 'vitest';
import type { Batch, FirstRows, Stretch, Tables, Values } from '../tables/index.ts';
import { wakesIn } from './wakes.ts';

const TEXTS = ['preempted', 'wake'];
const BATCH_ROWS = 50;

interface Wait {
  readonly utid: number;
  readonly ts: number;
  readonly te: number;
  readonly cause: number;
  readonly ended: number;
}

/** In the order of their ends; some are no wakes, some did not end, and some are long. */
const WAITS = Array.from({ length: 1000 }, (_, at): Wait => {
  const te = 1000 + 10 * at;
  const length = at % 97 === 0 ? 2500 : (at * 31) % 60;
  return { utid: at % 7, ts: te - length, te, cause: at % 5 === 0 ? 0 : 1, ended: Number(at % 11 !== 0) };
});

/** Has the waits in batches, and notes which of these are read. */
class SmallBatches implements Tables {
  read: number[] = [];

  rowCount(): Promise<number> {
    return Promise.resolve(WAITS.length);
  }

  async *batches<C extends string>(
    _table: string,
    names: readonly C[],
    range?: Stretch | readonly Stretch[],
    _how?: unknown,
    leftOut?: FirstRows,
  ): AsyncGenerator<Batch<C>> {
    const { start, end } = range as Stretch;
    for (let firstRow = 0; firstRow < WAITS.length; firstRow += BATCH_ROWS) {
      const waits = WAITS.slice(firstRow, firstRow + BATCH_ROWS);
      const times = {
        least_ns: Math.min(...waits.map(({ ts }) => ts)),
        greatest_ns: Math.max(...waits.map(({ te }) => te)),
      };
      if (leftOut?.has(firstRow) === true || times.greatest_ns <= start || times.least_ns >= end) continue;
      this.read.push(firstRow / BATCH_ROWS);
      const known: Readonly<Record<string, Values>> = Object.fromEntries(
        (['utid', 'ts', 'te', 'cause', 'ended'] as const).map((name) => [
          name,
          {
            values: Float64Array.from(waits, (wait) => wait[name]),
            present: null,
            texts: name === 'cause' ? TEXTS : null,
          },
        ]),
      );
      const columns = Object.fromEntries(names.map((name) => [name, known[name]])) as Batch<C>['columns'];
      yield await Promise.resolve({ firstRow, rowCount: waits.length, times, columns });
    }
  }
}

test('the wakes of changed ranges are counted, and only batches at their ends are read again', async () => {
  const tables = new SmallBatches();
  const read: number[][] = [];
  for (const [start, end] of [
    [0, 20_000],
    [3333, 7777],
    [5555, 20_000],
    [0, 4321],
    [6000, 6100],
  ] as const) {
    const { lengths, longest } = await wakesIn(tables, { start, end });
    const expected = WAITS.filter(
      ({ ts, te, cause, ended }) => ts >= start && te <= end && te > ts && cause === 1 && ended === 1,
    );
    const sorted = expected.map(({ ts, te }) => te - ts).sort((a, b) => a - b);
    expect(Array.from(sorted, (_, rank) => lengths.at(rank))).toEqual(sorted);
    expect([0, 1, 20, 59, 60, 3000].map((ns) => lengths.below(ns))).toEqual(
      [0, 1, 20, 59, 60, 3000].map((ns) => sorted.filter((length) => length < ns).length),
    );
    expect(longest).toEqual(
      expected
        .map(({ utid, ts, te }) => ({ utid, ts, te }))
        .sort((a, b) => b.te - b.ts - (a.te - a.ts) || a.ts - b.ts || a.utid - b.utid),
    );
    read.push(tables.read);
    tables.read = [];
  }
  // Of a range in the middle also the batches with a long wait that began before.
  expect(read).toEqual([
    Array.from({ length: 20 }, (_, batch) => batch),
    [4, 5, 7, 13, 15, 17],
    [9, 11, 13],
    [0, 1, 6, 7, 9, 11],
    [10, 11, 13],
  ]);
});
