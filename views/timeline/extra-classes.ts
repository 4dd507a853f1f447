import * as d3 from 'd3';
import { seriesColor, type Palette } from '../kit/index.ts';

/** Names of spans have so many colours; then they begin again. */
export const HUES = 12;
/** The classes of all extra tracks: nothing, hues, what holds in a part of a pixel alone, what is not known. */
export const FIRST_HUE = 1;
export const FAINT = FIRST_HUE + HUES;
export const UNKNOWN = FAINT + 1;
export const CLASS_COUNT = UNKNOWN + 1;

/** The colours of these classes; null for what is hatched. */
export function extraColors(palette: Palette): readonly (string | null)[] {
  const hues = Array.from({ length: HUES }, (_, series) => seriesColor(palette, series));
  const [first = palette.muted] = hues;
  return [palette.background, ...hues, d3.interpolateRgb(palette.background, first)(0.4), null];
}
