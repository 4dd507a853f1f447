import { expect, test } from 'vitest';
import { clampRange, panRange, rangeAround, zoomRange } from './range.ts';

const bounds = { start: 1_000_000, end: 2_000_000 };

test('a range stays within its bounds and does not shrink below 1 µs', () => {
  expect(clampRange({ start: 0, end: 100_000 }, bounds)).toEqual({ start: 1_000_000, end: 1_100_000 });
  expect(clampRange({ start: 1_950_000, end: 2_050_000 }, bounds)).toEqual({
    start: 1_900_000,
    end: 2_000_000,
  });
  expect(clampRange({ start: 0, end: 9_000_000 }, bounds)).toEqual(bounds);
  expect(clampRange({ start: 1_500_000, end: 1_500_000 }, bounds)).toEqual({
    start: 1_500_000,
    end: 1_501_000,
  });
});

test('zoom keeps the time under the pointer in place', () => {
  expect(zoomRange(bounds, bounds, 0.5, 1_250_000)).toEqual({ start: 1_125_000, end: 1_625_000 });
});

test('pan moves by a part of the length', () => {
  expect(panRange({ start: 1_200_000, end: 1_400_000 }, bounds, 0.5)).toEqual({
    start: 1_300_000,
    end: 1_500_000,
  });
});

test('a span is shown with margins', () => {
  expect(rangeAround({ start: 1_400_000, end: 1_500_000 }, bounds, 0.1)).toEqual({
    start: 1_390_000,
    end: 1_510_000,
  });
});
