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
  series: ['#c64f0c', '#3b6fb6', '#0f8075', '#8d4a97', '#aab1bd'],
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
const TINTS = [0, 0.5, 0.68];

/** The colour of the series at `index`: the four hues, then their tints. Grey is left for the rest. */
export function seriesColor({ series, background }: Palette, index: number): string {
  const [vermilion, blue, teal, plum, grey] = series;
  const hues = [blue, teal, plum, vermilion];
  const hue = hues[index % hues.length] ?? grey;
  return d3.interpolateRgb(hue, background)(TINTS[Math.floor(index / hues.length) % TINTS.length] ?? 0);
}

/** How much two colours differ in lightness, 1 to 21: the contrast ratio of WCAG 2. Text needs 4.5, marks 3. */
export function contrastOf(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const { r, g, b } = d3.rgb(color);
  const linear = (byte: number) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** The colour of words on a mark: that of text or of the background, whichever can be read better there. */
export function inkOn({ text, background }: Palette, fill: string): string {
  return contrastOf(text, fill) > contrastOf(background, fill) ? text : background;
}
