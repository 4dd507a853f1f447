import { seriesColor, type LegendEntry, type Palette } from '../kit/index.ts';
import type { CpuUsageModel } from './model.ts';

/** The colour of each series: the four hues, then their tints; grey for the rest. */
export function seriesColors(palette: Palette, { series }: CpuUsageModel): string[] {
  return series.map(({ other }, index) => (other ? palette.series[4] : seriesColor(palette, index)));
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
