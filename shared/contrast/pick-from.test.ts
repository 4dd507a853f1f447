import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountedLengths } from '../causes/index.ts';
import type { EpisodeParts } from './episode-parts.ts';
import { pickFrom, type Lengths } from './pick-from.ts';

/** Parts by the lengths of their rows. An episode says by its thread and time which row of which part it is. */
function partsOf(all: readonly Float64Array[]): EpisodeParts {
  const sorted = (of: Float64Array) => of.filter((ns) => !Number.isNaN(ns)).sort();
  return {
    lengths: all.map((of) => new CountedLengths(sorted(of))),
    read(parts, look) {
      for (const part of [...parts].sort((a, b) => a - b))
        look(part, all[part] ?? new Float64Array(0), (row) => ({ utid: part, ts: row, te: row, cpu: null }));
      return Promise.resolve();
    },
  };
}

/** The same, by all rows in a list. */
function listed(all: readonly Float64Array[], { from_ns, to_ns }: Lengths) {
  const rows = all.flatMap((of, part) =>
    [...of].flatMap((ns, row) => (ns >= from_ns && ns <= to_ns ? [[part, row]] : [])),
  );
  const step = Math.max(1, rows.length / 100);
  return {
    count: rows.length,
    picked: Array.from({ length: Math.min(100, rows.length) }, (_, nth) => rows[Math.ceil(nth * step)]),
  };
}

test('of many episodes a hundred are picked, evenly, wherever they lie', async () => {
  const length = fc.oneof({ weight: 3, arbitrary: fc.constant(NaN) }, fc.nat(100));
  const stretch = fc.record({ of: length, count: fc.nat(400), few: fc.array(length, { maxLength: 100 }) });
  const wanted = fc.record({ from_ns: fc.nat(100), to_ns: fc.oneof(fc.nat(100), fc.constant(Infinity)) });
  await fc.assert(
    fc.asyncProperty(fc.array(stretch, { maxLength: 6 }), wanted, wanted, async (stretches, one, other) => {
      const all = stretches.map(({ of, count, few }) =>
        Float64Array.from([...Array<number>(count).fill(of), ...few]),
      );
      const groups = await pickFrom(partsOf(all), [one, other]);
      const found = groups.map(({ count, picked }) => ({
        count,
        picked: picked.map(({ utid, ts }) => [utid, ts]),
      }));
      expect(found).toEqual([listed(all, one), listed(all, other)]);
    }),
  );
});

test('few are picked all', async () => {
  const parts = partsOf([Float64Array.of(5, NaN, 7, 9, 3)]);
  const [group] = await pickFrom(parts, [
    { from_ns: 4, to_ns: 8 },
    { from_ns: 20, to_ns: 10 },
  ]);
  expect([group.count, group.picked.map(({ ts }) => ts)]).toEqual([2, [0, 2]]);
});
