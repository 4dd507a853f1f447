import * as d3 from 'd3';

/** The colours of charts. Marks differ in lightness as well as in hue, and always in label or shape too. */
export interface Palette {
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly hatch: string;
  readonly accent: string;
  readonly shade: string;
  /** Data colours, told apart with any colour vision: vermilion, blue, teal, plum, grey. */
  readonly series: readonly [string, string, string, string, string];
}

const light: Palette = {
  background: '#ffffff',
  text: '#171a21',
  muted: '#596273',
  grid: '#e4e7ec',
  hatch: '#c9ced8',
  accent: '#4a4fd0',
  shade: 'rgba(74, 79, 208, 0.12)',
  series: ['#d4560f', '#3b6fb6', '#12877c', '#8d4a97', '#aab1bd'],
};

const dark: Palette = {
  background: '#14171d',
  text: '#e7e9ee',
  muted: '#9ca5b4',
  grid: '#272c36',
  hatch: '#3c4452',
  accent: '#9a9dff',
  shade: 'rgba(154, 157, 255, 0.16)',
  series: ['#ee7f41', '#5b93de', '#3cc4b4', '#cf8fdb', '#5a6372'],
};

/** The palette of each theme. */
export const palettes = { light, dark } as const;

/** The palette of stills, which are read on white. */
export const stillPalette = light;

/** Colours of lines in one chart: hues that differ, and fainter with each round through them. */
export function lineColor(palette: Palette, index: number): string {
  const hues = palette.series.slice(0, 4);
  const hue = hues[index % hues.length] ?? palette.muted;
  return d3.interpolateRgb(hue, palette.background)(Math.min(0.6, Math.floor(index / hues.length) * 0.35));
}

/** The palette of the theme that `element` stands in. */
export function paletteOf(element: Element): Palette {
  return element.ownerDocument.documentElement.dataset.theme === 'dark' ? dark : light;
}

/** Each round through the hues is mixed with so much of the background. */
const TINTS = [0, 0.42, 0.68];

/** The colour of the series at `index`: the four hues, then their tints. Grey is left for the rest. */
export function seriesColor({ series, background }: Palette, index: number): string {
  const [vermilion, blue, teal, plum, grey] = series;
  const hues = [blue, teal, plum, vermilion];
  const hue = hues[index % hues.length] ?? grey;
  return d3.interpolateRgb(hue, background)(TINTS[Math.floor(index / hues.length) % TINTS.length] ?? 0);
}
