import { expect, test } from 'vitest';
import { contrastOf, inkOn, palettes, seriesColor, type Palette } from './palette.ts';

const themes = Object.entries(palettes);
const TEXT = 4.5;
const MARK = 3;

/** All that words are drawn on. */
function fillsOf(palette: Palette): readonly (readonly [string, string])[] {
  const { series, accent, muted, text, grid, hatch } = palette;
  const tints = Array.from(
    { length: 12 },
    (_, index) => [`tint ${index}`, seriesColor(palette, index)] as const,
  );
  const named = Object.entries({ accent, muted, text, grid, hatch });
  return [...series.map((color, index) => [`series ${index}`, color] as const), ...tints, ...named];
}

test('contrast is that of WCAG 2: black on white 21, equal colours 1, and its own example of a grey', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#123456', '#123456')).toBe(1);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test.each(themes)('words can be read on every colour: %s', (_, palette) => {
  const poor = fillsOf(palette).filter(([, fill]) => contrastOf(inkOn(palette, fill), fill) < TEXT);
  expect(poor).toEqual([]);
});

test.each(themes)('words and the colours of data stand out from the background: %s', (_, palette) => {
  const { background, text, muted, accent, series } = palette;
  const words = [text, muted, accent].filter((color) => contrastOf(color, background) < TEXT);
  const marks = series.slice(0, 4).filter((color) => contrastOf(color, background) < MARK);
  expect({ words, marks }).toEqual({ words: [], marks: [] });
});
