import { expect, test } from 'vitest';
import { ROWS } from '../../shared/timeline/index.ts';
import type { PixelsAnswer, Question, Zoom } from './questions.ts';
import { Tiles } from './tiles.ts';

const BOUNDS = { start: 0, end: 8000 };
const ALL = { start: 0, pixel_ns: 8000 / 512, pixels: 512 };

/** Tiles of pixels that show nothing, what was asked for them, and what was asked when all in sight was known. */
function tiles() {
  const asked: Zoom[] = [];
  const settledAfter: number[] = [];
  const of = new Tiles(
    (question) => {
      const { zoom, tracks } = question as Extract<Question, { kind: 'pixels' }>;
      asked.push(zoom);
      const cells = new Uint8Array(tracks.length * ROWS * zoom.pixels);
      const lines = tracks.map(() => null);
      return Promise.resolve({ zoom, tracks, cells, bars: [], lines, numbers: [] } satisfies PixelsAnswer);
    },
    BOUNDS,
    { judged: false, line: null },
  );
  of.onSettled = () => settledAfter.push(asked.length);
  return { of, asked, settledAfter };
}

const rest = () => new Promise((resolve) => setTimeout(resolve));

test('a zoom first asks for what is in sight, then for what lies next to it', async () => {
  const { of, asked, settledAfter } = tiles();
  expect(of.want({ start: 2000, end: 3000 }, 100, ['c0'])).toBe(false);
  await rest();
  expect(asked).toEqual([
    { start: 2000, pixel_ns: 10, pixels: 100 },
    ALL,
    { start: 1750, pixel_ns: 10, pixels: 150 },
  ]);
  expect(settledAfter[0]).toBe(2);
  // A zoom that takes part of the time needs new pixels.
  expect(of.want({ start: 2000, end: 2500 }, 100, ['c0'])).toBe(false);
  await rest();
  expect(asked.slice(3)).toEqual([
    { start: 2000, pixel_ns: 5, pixels: 100 },
    { start: 1875, pixel_ns: 5, pixels: 150 },
  ]);
});

test('a pan finds what lies next to the view, and asks on before it comes to the end', async () => {
  const { of, asked } = tiles();
  of.want({ start: 2000, end: 3000 }, 100, ['c0']);
  await rest();
  asked.length = 0;
  expect(of.want({ start: 2100, end: 3100 }, 100, ['c0'])).toBe(true);
  await rest();
  expect(asked).toEqual([]);
  expect(of.want({ start: 2200, end: 3200 }, 100, ['c0'])).toBe(true);
  await rest();
  expect(asked).toEqual([{ start: 1950, pixel_ns: 10, pixels: 150 }]);
  expect(of.want({ start: 4000, end: 5000 }, 100, ['c0'])).toBe(false);
  await rest();
  expect(asked.slice(1)).toEqual([{ start: 3750, pixel_ns: 10, pixels: 150 }]);
});

test('nothing is asked for beyond the ends of the trace', async () => {
  const { of, asked } = tiles();
  of.want(BOUNDS, 100, ['c0']);
  await rest();
  expect(asked).toEqual([{ start: 0, pixel_ns: 80, pixels: 100 }, ALL]);
});
