import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderOf } from './order.ts';

test('times are ordered, equal ones by their numbers', () => {
  const time = fc.oneof(
    fc.integer({ min: -20, max: 20 }),
    fc.maxSafeInteger().map((at) => Math.floor(at / 4)),
  );
  fc.assert(
    fc.property(fc.array(time, { minLength: 200, maxLength: 600 }), (times) => {
      const byComparing = times.map((_, index) => index).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
      expect([...orderOf(Float64Array.from(times))]).toEqual(byComparing);
    }),
  );
});
