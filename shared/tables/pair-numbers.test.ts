import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairNumbers } from './pair-numbers.ts';

test('numbers pairs in the order in which they come first', () => {
  const whole = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer());
  fc.assert(
    fc.property(fc.array(fc.tuple(whole, whole), { maxLength: 2000 }), (pairs) => {
      const numbers = new PairNumbers();
      const known: string[] = [];
      for (const [first, second] of pairs) {
        const key = `${first} ${second}`;
        if (!known.includes(key)) known.push(key);
        expect(numbers.of(first, second)).toBe(known.indexOf(key));
      }
      expect(numbers.count).toBe(known.length);
      expect(known.map((_, number) => `${numbers.first(number)} ${numbers.second(number)}`)).toEqual(known);
    }),
    { numRuns: 20 },
  );
});
