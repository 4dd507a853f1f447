import type { StepChart } from '../kit/index.ts';
import type { SwitchesModel } from './model.ts';
import { formatRate, rateIn, ratesOf } from './summary.ts';

/** Context switches per second: all of them, those of each large group, and the bounds. */
export function ratesChart({ origin_ns, edges, switches, series, thresholds }: SwitchesModel): StepChart {
  return {
    origin_ns,
    edges,
    total: ratesOf(edges, switches),
    total_label: 'all, to idle too',
    lines: series.map((line) => ({ label: line.label, values: ratesOf(edges, line.switches) })),
    bounds: thresholds.map(({ per_s }) => ({ label: formatRate(per_s), value: per_s })),
  };
}

/** The lines that a pointer shows for a bucket. */
export function rateLines(
  { edges, switches, to_idle, series }: SwitchesModel,
  bucket: number,
  span: string,
): readonly string[] {
  return [
    `${formatRate(rateIn(edges, switches, bucket))} context switches`,
    span,
    `to idle: ${formatRate(rateIn(edges, to_idle, bucket))}`,
    ...series.map((line) => `${line.label}: ${formatRate(rateIn(edges, line.switches, bucket))}`),
  ];
}
