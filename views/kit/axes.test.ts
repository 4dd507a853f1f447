import { expect, test } from 'vitest';
import { timeLabels } from './axes.ts';

const shown = (start: number, end: number, width: number) =>
  timeLabels({ start, end }, 0, width).map(({ x, text, at }) => [Math.round(x), text, at]);

test('labels of times near the edges are kept inside', () => {
  expect(shown(0, 6e10, 400)).toEqual([
    [0, '0 s', 'begin'],
    [133, '20 s', 'middle'],
    [267, '40 s', 'middle'],
    [400, '60 s', 'end'],
  ]);
});

test('a label at the edge that would reach the next one is left out, its line is not', () => {
  expect(shown(44_394_198_000, 44_394_400_000, 340)).toEqual([
    [3, '', 'begin'],
    [88, '44.39425 s', 'middle'],
    [172, '44.39430 s', 'middle'],
    [256, '44.39435 s', 'middle'],
    [340, '', 'end'],
  ]);
});
