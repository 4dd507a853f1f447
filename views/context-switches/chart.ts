import { formatDuration, formatTime } from '../../shared/model/index.ts';
import { bucketAt, type StepChart } from '../kit/index.ts';
import type { SwitchesModel } from './model.ts';
import { formatRate, rateIn } from './summary.ts';

/** Context switches per second: all of them, those of each large group, and the bounds. */
export function ratesChart({ origin_ns, edges, switches, series, thresholds }: SwitchesModel): StepChart {
  const rates = (counts: readonly number[]) => counts.map((_, bucket) => rateIn(edges, counts, bucket));
  return {
    origin_ns,
    edges,
    total: rates(switches),
    total_label: 'all, to idle too',
    lines: series.map((line) => ({ label: line.label, values: rates(line.switches) })),
    bounds: thresholds.map(({ per_s }) => ({ label: formatRate(per_s), value: per_s })),
  };
}

/** What a pointer is told of a time; null outside of the buckets. */
export function rateLines(model: SwitchesModel, ts: number): readonly string[] | null {
  const { edges, switches, to_idle, series, origin_ns } = model;
  const bucket = bucketAt(model, ts);
  if (bucket === null) return null;
  const [start = 0, end = 0] = [edges[bucket], edges[bucket + 1]];
  return [
    `${formatRate(rateIn(edges, switches, bucket))} context switches`,
    `${formatDuration(end - start)} from ${formatTime(start, origin_ns)}`,
    `to idle: ${formatRate(rateIn(edges, to_idle, bucket))}`,
    ...series.map((line) => `${line.label}: ${formatRate(rateIn(edges, line.switches, bucket))}`),
  ];
}
