import * as d3 from 'd3';
import { expect, test } from 'vitest';
import { hatch } from './hatch.ts';

function lines(left: number, right: number, top: number, bottom: number): string {
  const path = d3.path();
  hatch(path, { left, right, top, bottom });
  return path.toString();
}

test('diagonal lines are cut off at the box, and go on in the next one', () => {
  expect(lines(0, 10, 0, 4)).toBe('M2,4L6,0M8,4L10,2');
  expect(lines(10, 14, 0, 4)).toBe('M10,2L12,0');
  expect(lines(3, 3, 0, 4)).toBe('');
});
