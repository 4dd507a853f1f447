import { expect, test } from 'vitest';
import { firstByPlace } from './first-by-place.ts';

test('a frame is the same as the first one at its place of its file', () => {
  const image = Int32Array.of(0, 2, 0, 2, 2, 0);
  const lower = Int32Array.of(7, 7, 7, 7, 7, 8);
  const upper = Int32Array.of(0, 0, 0, -1, 0, 0);
  expect(firstByPlace(image, lower, upper, [true, true, true])).toEqual(Int32Array.of(0, 1, 0, 3, 1, 5));
  // Each frame of a file that is not shared is its own.
  expect(firstByPlace(image, lower, upper, [false, true, true])).toEqual(Int32Array.of(0, 1, 2, 3, 1, 5));
});

test('each of many frames, twice', () => {
  const place = Int32Array.from({ length: 50_000 }, (_, frame) => frame % 25_000);
  const none = new Int32Array(50_000);
  expect(firstByPlace(none, place, none, [true])).toEqual(place);
});
