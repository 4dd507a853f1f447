import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import { bucketAt, type StepChart } from '../kit/index.ts';
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

/** What a pointer is told of a time; null outside of the buckets. */
export function countLines(model: EventsModel, ts: number): readonly string[] | null {
  const { edges, counts, lines, origin_ns } = model;
  const bucket = bucketAt(model, ts);
  if (bucket === null) return null;
  const [start = 0, end = 0] = [edges[bucket], edges[bucket + 1]];
  return [
    `${formatCount(counts[bucket] ?? 0)} events`,
    `${formatDuration(end - start)} from ${formatTime(start, origin_ns)}`,
    ...lines
      .filter((line) => (line.counts[bucket] ?? 0) > 0)
      .map((line) => `${line.label}: ${formatCount(line.counts[bucket] ?? 0)}`),
  ];
}
