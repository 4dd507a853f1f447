import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pickRows, type Lengths } from './pick-rows.ts';

/** The same, by all rows in a list. */
function listed(lengths: Float64Array, { from_ns, to_ns }: Lengths) {
  const rows = [...lengths.keys()].filter((row) => {
    const ns = lengths[row] ?? NaN;
    return ns >= from_ns && ns <= to_ns;
  });
  const step = Math.max(1, rows.length / 100);
  const picked = Array.from(
    { length: Math.min(100, rows.length) },
    (_, nth) => rows[Math.ceil(nth * step)] ?? NaN,
  );
  return { count: rows.length, picked: Uint32Array.from(picked) };
}

test('of many rows a hundred are picked, evenly, wherever they lie', () => {
  const length = fc.oneof({ weight: 3, arbitrary: fc.constant(NaN) }, fc.nat(100));
  const stretch = fc.record({ of: length, count: fc.nat(9000) });
  const wanted = fc.record({ from_ns: fc.nat(100), to_ns: fc.oneof(fc.nat(100), fc.constant(Infinity)) });
  fc.assert(
    fc.property(
      fc.array(stretch, { maxLength: 6 }),
      fc.array(length, { maxLength: 300 }),
      fc.array(wanted, { maxLength: 3 }),
      (all, few, groups) => {
        const lengths = Float64Array.from([
          ...all.flatMap(({ of, count }) => Array<number>(count).fill(of)),
          ...few,
        ]);
        expect(pickRows(lengths, groups)).toEqual(groups.map((of) => listed(lengths, of)));
      },
    ),
  );
});

test('few are picked all', () => {
  const lengths = Float64Array.of(5, NaN, 7, 9, 3);
  expect(pickRows(lengths, [{ from_ns: 4, to_ns: 8 }])).toEqual([{ count: 2, picked: Uint32Array.of(0, 2) }]);
});
