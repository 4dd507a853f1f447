import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { WHY_LABELS } from '../../shared/why-late/index.ts';
import type { ReadyLatencyModel } from './model.ts';

/** What is said below the numbers: why the listed waits were late, and where numbers are of a sample. */
export function footnotes(model: ReadyLatencyModel): string[] {
  const sampled = sampling(model);
  return [
    ...(model.by_why.length === 0 ? [] : [byWhy(model)]),
    ...(sampled === null
      ? []
      : [`Counts, sums, percentiles, bars and groups take ${sampled}. The list is of all.`]),
  ];
}

/** `one in 20 of the waits below 1 ms, counted 20 times`; null where all are taken. */
export function sampling({ one_in }: ReadyLatencyModel): string | null {
  return one_in > 1 ? `one in ${one_in} of the waits below 1 ms, counted ${one_in} times` : null;
}

function byWhy({ by_why }: ReadyLatencyModel): string {
  const judged = by_why.reduce((sum, { count }) => sum + count, 0);
  const parts = by_why.map(
    ({ why, count, sum_ns }) => `${WHY_LABELS[why]} ${formatDuration(sum_ns)} in ${formatCount(count)}`,
  );
  return `Why the ${formatCount(judged)} longest were late, judged by a few instants of each: ${parts.join(', ')}.`;
}
