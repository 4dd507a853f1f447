import { expect, test } from 'vitest';
import { lineParts, lineTop } from './lines.ts';

test('the highest number lies at the top of a lane, 0 at its foot', () => {
  expect([0, 2, 4].map((number) => lineTop(number, { of: 'priority', most: 4 }, 18))).toEqual([16, 8, 0]);
  expect(lineTop(0, { of: 'rank', most: 0 }, 18)).toBe(16);
});

test('steps of a line are joined; where nothing was recorded there is none', () => {
  // Priority 0, 0 to 2 in one pixel, 2, not recorded, 4. Values are one more.
  const line = [1, 1, 1, 3, 3, 3, 0, 0, 5, 5];
  const parts = [...lineParts(line, (x) => x, 5, 18, { of: 'priority', most: 4 })];
  expect(parts.map(({ left, top, bottom }) => [left, top, bottom])).toEqual([
    [0, 16, 18],
    [1, 8, 18],
    [2, 8, 10],
    [4, 0, 2],
  ]);
  const stepped = [...lineParts([1, 1, 5, 5], (x) => x, 2, 18, { of: 'priority', most: 4 })];
  expect(stepped[1]).toMatchObject({ top: 0, bottom: 18 });
});
