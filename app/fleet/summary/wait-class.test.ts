import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classBelow, classFrom, WAIT_CLASSES, waitClass } from './wait-class.ts';

test('each length lies within the bounds of its class', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e13, noNaN: true }), (given) => {
      const ns = Math.floor(given);
      const of = waitClass(ns);
      expect(ns).toBeGreaterThanOrEqual(classFrom(of));
      expect(ns).toBeLessThan(classBelow(of) ?? Infinity);
    }),
  );
});

test('classes go from a quarter of a microsecond to a quarter of an hour', () => {
  expect([0, 1, 2, 62, 63].map((of) => [classFrom(of), classBelow(of)])).toEqual([
    [0, 363],
    [363, 512],
    [512, 725],
    [549755813888, 777472127994],
    [777472127994, null],
  ]);
  expect(WAIT_CLASSES).toBe(64);
  expect(waitClass(2 ** 53)).toBe(63);
});
