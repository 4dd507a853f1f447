import { formatCount } from '../../shared/model/index.ts';
import type { StepChart } from '../kit/index.ts';
import type { EventsModel } from './model.ts';

/** Events in each bucket of time. */
export function countsChart({ origin_ns, edges, counts, lines }: EventsModel): StepChart {
  return {
    origin_ns,
    edges,
    total: counts,
    total_label: 'all that is chosen',
    // One line alone would be the edge of the area.
    lines: lines.length < 2 ? [] : lines.map((line) => ({ label: line.label, values: line.counts })),
  };
}

/** The lines that a pointer shows for a bucket. */
export function countLines({ counts, lines }: EventsModel, bucket: number, span: string): readonly string[] {
  return [
    `${formatCount(counts[bucket] ?? 0)} events`,
    span,
    ...lines
      .filter((line) => (line.counts[bucket] ?? 0) > 0)
      .map((line) => `${line.label}: ${formatCount(line.counts[bucket] ?? 0)}`),
  ];
}
