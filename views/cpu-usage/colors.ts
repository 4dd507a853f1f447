import { interpolateRgb } from 'd3';
import type { LegendEntry, Palette } from '../kit/index.ts';
import type { CpuUsageModel } from './model.ts';

/** Each round through the hues is mixed with so much of the background. */
const TINTS = [0, 0.42, 0.68];

/** The colour of each series: the four hues, then their tints; grey for the rest. */
export function seriesColors(palette: Palette, { series }: CpuUsageModel): string[] {
  const [vermilion, blue, teal, plum, grey] = palette.series;
  const hues = [blue, teal, plum, vermilion];
  return series.map(({ other }, index) => {
    if (other) return grey;
    const hue = hues[index % hues.length] ?? grey;
    const tint = TINTS[Math.floor(index / hues.length) % TINTS.length] ?? 0;
    return interpolateRgb(hue, palette.background)(tint);
  });
}

/** What the areas mean, from the lowest to the highest. */
export function usageLegend(palette: Palette, model: CpuUsageModel): readonly LegendEntry[] {
  const colors = seriesColors(palette, model);
  const areas = model.series.map(({ label }, index): LegendEntry => ({
    label,
    color: colors[index] ?? palette.muted,
    mark: 'fill',
  }));
  if (model.totals.unknown_ns === 0) return areas;
  return [...areas, { label: 'not recorded', color: palette.muted, mark: 'hatch' }];
}
