import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountedLengths } from '../causes/index.ts';
import type { EpisodeParts } from './episode-parts.ts';
import { pickFrom, type Lengths } from './pick-from.ts';

/** So many rows are a block. */
const BLOCK_ROWS = 40;

/**
 * Parts by the lengths of their rows, which come a few at a time. An episode says by its thread and time which row of which part it is.
 */
function partsOf(all: readonly Float64Array[]): EpisodeParts {
  return {
    lengths: all.map(countedInBlocks),
    read(blocks, look) {
      for (const [part, of] of blocks)
        for (const block of of)
          for (const first of [block * BLOCK_ROWS, block * BLOCK_ROWS + 7]) {
            const last = first % BLOCK_ROWS === 0 ? first + 7 : (block + 1) * BLOCK_ROWS;
            const lengths = all[part]?.slice(first, last) ?? new Float64Array(0);
            look(part, block, lengths, (at) => ({ utid: part, ts: first + at, te: first + at, cpu: null }));
          }
      return Promise.resolve();
    },
  };
}

function countedInBlocks(lengths: Float64Array): CountedLengths {
  const sorted = [...lengths].flatMap((ns, row) => (Number.isNaN(ns) ? [] : [{ ns, row }]));
  sorted.sort((a, b) => a.ns - b.ns);
  return new CountedLengths(
    Float64Array.from(sorted, ({ ns }) => ns),
    Uint8Array.from(sorted, ({ row }) => row / BLOCK_ROWS),
  );
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
