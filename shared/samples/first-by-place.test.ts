import { expect, test } from 'vitest';
import { firstByPlace } from './first-by-place.ts';

test('a frame is the same as the first one at its place of its file', () => {
  const image = Int32Array.of(0, 2, 0, 2, 2, 0);
  const offset = Float64Array.of(7, 7, 7, 7 - 2 ** 32, 7, 8);
  expect(firstByPlace(image, offset, [false, false, false])).toEqual(Int32Array.of(0, 1, 0, 3, 1, 5));
  // Each frame of generated code is its own.
  expect(firstByPlace(image, offset, [true, false, false])).toEqual(Int32Array.of(0, 1, 2, 3, 1, 5));
});

test('each of many frames, twice', () => {
  const offset = Float64Array.from({ length: 50_000 }, (_, frame) => frame % 25_000);
  expect(firstByPlace(new Int32Array(50_000), offset, [false])).toEqual(Int32Array.from(offset));
});
