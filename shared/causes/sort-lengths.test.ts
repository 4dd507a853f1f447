import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortLengths } from './sort-lengths.ts';

test('lengths come in their order, each with its mark', () => {
  const lengths = Float64Array.of(300, 100, 0, 300, 5_000_000);
  const marks = Uint8Array.of(1, 2, 3, 4, 5);
  sortLengths(lengths, marks);
  expect([[...lengths], [...marks]]).toEqual([
    [0, 100, 300, 300, 5_000_000],
    [3, 2, 1, 4, 5],
  ]);
});

test('of equal lengths the first stays the first, be they short or long', () => {
  const length = fc.oneof(fc.nat(3), fc.nat(5000), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const long = fc.oneof(length, fc.maxSafeNat());
  const lengths = fc.oneof(fc.array(length, { maxLength: 3000 }), fc.array(long));
  fc.assert(
    fc.property(lengths, (of) => {
      const sorted = Float64Array.from(of);
      const marks = Uint8Array.from(of, (_, at) => at);
      sortLengths(sorted, marks);
      const expected = of.map((ns, at) => ({ ns, mark: at % 256 })).sort((a, b) => a.ns - b.ns);
      expect(Array.from(sorted, (ns, at) => ({ ns, mark: marks[at] }))).toEqual(expected);
    }),
  );
});
