import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lane } from './lane.ts';
import { LaneSums } from './lane-sums.ts';

/** Values 1 to 3 are classes of their own, the others are of class 0. */
const CLASSES = { ofValue: Uint8Array.of(0, 1, 2, 3), count: 4 };

function laneOf(steps: readonly (readonly [number, number])[]): Lane {
  const lane = new Lane();
  for (const [at, value] of steps) lane.append(at, value);
  lane.trim();
  return lane;
}

function pixelsOf(lane: Lane, start: number, pixel_ns: number, pixels: number): number[][] {
  const into = new Float64Array(pixels * CLASSES.count);
  new LaneSums(lane, CLASSES).addPixels(start, pixel_ns, pixels, into);
  return Array.from({ length: pixels }, (_, pixel) => [...into.subarray(4 * pixel, 4 * pixel + 4)]);
}

test('a pixel has how long each class held in it', () => {
  const lane = laneOf([
    [10, 1],
    [12, 2],
    [13, 1],
    [30, 0],
  ]);
  expect(pixelsOf(lane, 0, 10, 4)).toEqual([
    [10, 0, 0, 0],
    [0, 9, 1, 0],
    [0, 10, 0, 0],
    [10, 0, 0, 0],
  ]);
  expect(lane.at(12)).toEqual({ ts: 12, te: 13, value: 2 });
  expect(lane.at(5)).toEqual({ ts: -Infinity, te: 10, value: 0 });
});

test('sums of a lane in which a value was replaced are those of one that had it from the start', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 400,
  });
  fc.assert(
    fc.property(steps, fc.nat(), fc.integer({ min: 1, max: 3 }), (gaps, which, value) => {
      let now = 0;
      const told = gaps.map(([ns, of]): [number, number] => [(now += ns), of]);
      const lane = laneOf(told);
      const sums = new LaneSums(lane, CLASSES);
      const [at] = told[which % told.length] ?? [0, 0];
      const length = now + 10;
      sums.replace(at, value);
      const fresh = new LaneSums(lane, CLASSES);
      for (const [start, end] of [
        [0, length],
        [at, length],
        [0, at + 1],
      ] as const)
        expect(sums.within(start, end)).toEqual(fresh.within(start, end));
      if (lane.at(at).ts === at) expect(lane.at(at).value).toBe(value);
    }),
  );
});

test('at any zoom, pixels have the sums of all steps', () => {
  const gap = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 50 }) },
    { weight: 1, arbitrary: fc.constant(6_000_000_000) },
  );
  const steps = fc.array(fc.tuple(gap, fc.integer({ min: 0, max: 3 })), { maxLength: 400 });
  const zoom = fc.record({
    start: fc.double({ min: -0.5, max: 1, noNaN: true }),
    length: fc.double({ min: 1e-9, max: 1.2, noNaN: true }),
    pixels: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(steps, zoom, (gaps, { start, length, pixels }) => {
      let now = 0;
      const told = gaps.map(([ns, value]): [number, number] => [(now += ns), value]);
      const lane = laneOf(told);
      const from = start * (now + 10);
      const pixel_ns = ((now + 10) * length) / pixels;
      const slow = Array.from({ length: pixels }, (_, pixel) =>
        slowSums(told, from + pixel * pixel_ns, from + (pixel + 1) * pixel_ns),
      );
      const fast = pixelsOf(lane, from, pixel_ns, pixels);
      fast.forEach((sums, pixel) =>
        sums.forEach((ns, of) => {
          // Ends of pixels are fractions of ns; sums of large numbers have as many digits less.
          expect(Math.abs(ns - (slow[pixel]?.[of] ?? NaN))).toBeLessThan(1e-3 + pixel_ns * 1e-9);
        }),
      );
    }),
    { numRuns: 300 },
  );
});

/** The same, step by step. */
function slowSums(steps: readonly (readonly [number, number])[], start: number, end: number): number[] {
  const sums = [0, 0, 0, 0];
  const all = [[-Infinity, 0] as const, ...steps];
  all.forEach(([at, value], index) => {
    const from = Math.max(start, at);
    const to = Math.min(end, all[index + 1]?.[0] ?? Infinity);
    if (to > from) sums[value] = (sums[value] ?? 0) + to - from;
  });
  return sums;
}

test('a step is replaced at its time, and found however far it is from the one before', () => {
  const lane = laneOf([
    [1, 1],
    [20_000_000_000, 2],
    [20_000_000_000, 3],
  ]);
  expect(lane.at(19_999_999_999).value).toBe(1);
  expect(lane.at(20_000_000_000)).toEqual({ ts: 20_000_000_000, te: Infinity, value: 3 });
  expect(lane.replace(1, 2)).toBe(true);
  expect(lane.replace(2, 1)).toBe(false);
  expect(lane.at(1).value).toBe(2);
});
