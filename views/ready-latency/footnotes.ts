import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { WHY_LABELS } from '../../shared/why-late/index.ts';
import type { ReadyLatencyModel } from './model.ts';

/** What is said below the numbers: why the listed waits were late, and where numbers are of a sample. */
export function footnotes(model: ReadyLatencyModel): string[] {
  const sampled = sampling(model);
  const bound = percentileBound(model);
  return [
    ...(model.by_why.length === 0 || model.only !== null ? [] : [byWhy(model)]),
    ...(sampled === null
      ? []
      : [`Counts, sums, percentiles, bars and groups take ${sampled}. The list is of all.`]),
    ...(model.total.count === 0 ? [] : [`${bound.charAt(0).toUpperCase()}${bound.slice(1)}.`]),
  ];
}

/** How far off a percentile of all waits may be. A bin of lengths is 2.4 % wide. */
export function percentileBound({ one_in }: ReadyLatencyModel): string {
  // Where not all are taken, 125,000 or more are.
  return one_in > 1 ? `${BIN_BOUND}, and ${placeBound('0.3 points')}` : BIN_BOUND;
}

/** How far off a percentile of a group may be. */
export function groupPercentileBound({ one_in }: ReadyLatencyModel): string {
  return one_in > 1 ? `${BIN_BOUND}, and ${placeBound('98/√n points')} where n waits were taken` : BIN_BOUND;
}

const BIN_BOUND = 'percentiles are at most 2.4 % too high';

/** Of n waits taken at random, the part below the true percentile is off by less than 1.96 √(0.25 / n), in 19 of 20 cases. */
function placeBound(points: string): string {
  return `within ${points} of their place in 19 of 20 cases`;
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
