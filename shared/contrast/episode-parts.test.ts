import { expect, test } from 'vitest';
import type { Batch, FirstRows, ReadHow, Stretch, Tables, Values } from '../tables/index.ts';
import { wakeEpisodes } from './episode-parts.ts';
import { pickFrom, type Lengths } from './pick-from.ts';

const TEXTS = ['preempted', 'wake'];
/** Those of a batch, and those that are read at once of a part of it. */
const [BATCH_ROWS, BLOCK_ROWS] = [5000, 1024];

interface Wait {
  readonly utid: number;
  readonly ts: number;
  readonly te: number;
  readonly cause: number;
  readonly ended: number;
  readonly cpu: number;
}

/** The number of the longest wait. */
const LONGEST = 12_301;

/** In the order of their ends, but for a few; some are no wakes, some did not end, some are long, and some take no time. */
const WAITS = Array.from({ length: 17_000 }, (_, at): Wait => {
  const te = 100_000 + 10 * at - (at % 1999 === 0 ? 30_000 : 0);
  const length = at === LONGEST ? 90_000 : at % 997 === 0 ? 5000 : (at * 31) % 160;
  return {
    utid: at,
    ts: te - length,
    te,
    cause: at % 5 === 0 ? 0 : 1,
    ended: Number(at % 11 !== 0),
    cpu: at % 4,
  };
});

/** Has the waits in batches, and counts how many rows are read. */
class Waits implements Tables {
  rows = 0;

  rowCount(): Promise<number> {
    return Promise.resolve(WAITS.length);
  }

  async *batches<C extends string>(
    _table: string,
    names: readonly C[],
    range?: Stretch | readonly Stretch[],
    how?: ReadHow,
    leftOut?: FirstRows,
  ): AsyncGenerator<Batch<C>> {
    const stretches = [range ?? []].flat();
    const isTouched = (waits: readonly Wait[]) =>
      waits.some(({ ts, te }) => stretches.some(({ start, end }) => ts < end && te > start));
    const rowsAtOnce = how === 'part' ? BLOCK_ROWS : BATCH_ROWS;
    for (let first = 0; first < WAITS.length; first += BATCH_ROWS) {
      if (leftOut?.has(first) === true) continue;
      for (let at = first; at < Math.min(WAITS.length, first + BATCH_ROWS); at += rowsAtOnce) {
        const waits = WAITS.slice(at, Math.min(at + rowsAtOnce, first + BATCH_ROWS));
        if (!isTouched(waits)) continue;
        this.rows += waits.length;
        const entries = names.map((name): [string, Values] => [
          name,
          {
            values: Float64Array.from(waits, (wait) => wait[name as keyof Wait]),
            present: null,
            texts: name === 'cause' ? TEXTS : null,
          },
        ]);
        const columns = Object.fromEntries(entries) as Batch<C>['columns'];
        yield await Promise.resolve({ firstRow: at, rowCount: waits.length, columns });
      }
    }
  }
}

/** The same, by all waits in a list. */
function listed({ start, end }: Stretch, { from_ns, to_ns }: Lengths) {
  const isOf = ({ ts, te, cause, ended }: Wait) =>
    cause === 1 &&
    ended === 1 &&
    te > ts &&
    ts >= start &&
    te <= end &&
    te - ts >= from_ns &&
    te - ts <= to_ns;
  const found = WAITS.filter(isOf);
  const step = Math.max(1, found.length / 100);
  const picked = Array.from(
    { length: Math.min(100, found.length) },
    (_, nth) => found[Math.ceil(nth * step)],
  );
  return {
    count: found.length,
    picked: picked.map(({ utid, ts, te, cpu } = NONE) => ({ utid, ts, te, cpu })),
  };
}

const NONE: Wait = { utid: -1, ts: 0, te: 0, cause: 0, ended: 0, cpu: 0 };

test('wakes are picked from the blocks of rows that they are in, wherever a range begins and ends', async () => {
  const groups = [
    { from_ns: 150, to_ns: Infinity },
    { from_ns: 0, to_ns: 80 },
  ] as const;
  for (const range of [
    { start: 0, end: 1_000_000 },
    { start: 130_001, end: 199_999 },
    { start: 150_000, end: 150_900 },
    { start: 500_000, end: 600_000 },
  ]) {
    const expected = groups.map((of) => listed(range, of));
    // Of more than may be kept batches are read as a whole.
    for (const keptBytes of [undefined, 10_000, 0])
      expect(await pickFrom(await wakeEpisodes(new Waits(), range, keptBytes), groups)).toEqual(expected);
  }
});

test('only the blocks are read in which some are picked', async () => {
  const tables = new Waits();
  const parts = await wakeEpisodes(tables, { start: 0, end: 1_000_000 });
  const before = tables.rows;
  const [group] = await pickFrom(parts, [
    { from_ns: 50_000, to_ns: Infinity },
    { from_ns: 50_000, to_ns: Infinity },
  ]);
  expect(group.picked.map(({ utid }) => utid)).toEqual([LONGEST]);
  // Rows of the next block began before those of this one ended: it is read, too.
  expect([before, tables.rows - before]).toEqual([WAITS.length, 2 * BLOCK_ROWS]);
});
