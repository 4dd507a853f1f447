import { expect, test } from 'vitest';
import { Lane } from '../../shared/timeline/index.ts';
import { linePixels } from './line-pixels.ts';

/** A lane with a value from each time on. */
function laneOf(steps: readonly (readonly [at: number, value: number])[]): Lane {
  const lane = new Lane();
  for (const [at, value] of steps) lane.append(at, value);
  return lane;
}

const pairs = (of: Uint8Array) =>
  Array.from({ length: of.length / 2 }, (_, pixel) => [of[2 * pixel], of[2 * pixel + 1]]);

test('a pixel has the lowest and the highest value in it, and none where none holds', () => {
  const lane = laneOf([
    [10, 3],
    [24, 9],
    [26, 4],
    [40, 0],
  ]);
  expect(pairs(linePixels(lane, { start: 0, pixel_ns: 10, pixels: 5 }))).toEqual([
    [0, 0],
    [3, 3],
    [3, 9],
    [4, 4],
    [0, 0],
  ]);
  expect(pairs(linePixels(lane, { start: 30, pixel_ns: 5, pixels: 2 }))).toEqual([
    [4, 4],
    [4, 4],
  ]);
});

test('no step is lost, however many blocks a lane has', () => {
  const lane = laneOf(Array.from({ length: 1000 }, (_, at) => [at, 1 + ((at * 7) % 31)] as const));
  for (const pixels of [1, 7, 100]) {
    const pixel_ns = 1000 / pixels;
    const wanted = Array.from({ length: pixels }, (_, pixel) => {
      const held = Array.from({ length: 1000 }, (__, at) => at)
        .filter((at) => at + 1 > pixel * pixel_ns && at < (pixel + 1) * pixel_ns)
        .map((at) => 1 + ((at * 7) % 31));
      return [Math.min(...held), Math.max(...held)];
    });
    expect(pairs(linePixels(lane, { start: 0, pixel_ns, pixels }))).toEqual(wanted);
  }
});
