import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { capital } from '../../shared/recording/index.ts';
import { WHY_LABELS } from '../../shared/why-late/index.ts';
import type { ReadyLatencyModel } from './model.ts';

/** How far off percentiles may be. A bin of lengths is 2.4 % wide. */
export const PERCENTILE_BOUND = 'percentiles are at most 2.4 % too high';

/** What is said below the numbers: why the listed waits were late, and how exact percentiles are. */
export function footnotes(model: ReadyLatencyModel): string[] {
  return [
    ...(model.by_why.length === 0 || model.only !== null ? [] : [byWhy(model)]),
    ...(model.total.count === 0 ? [] : [`${capital(PERCENTILE_BOUND)}.`]),
  ];
}

function byWhy({ by_why }: ReadyLatencyModel): string {
  const judged = by_why.reduce((sum, { count }) => sum + count, 0);
  const parts = by_why.map(
    ({ why, count, sum_ns }) => `${WHY_LABELS[why]} ${formatDuration(sum_ns)} in ${formatCount(count)}`,
  );
  return `Why the ${formatCount(judged)} longest were late, judged by a few instants of each: ${parts.join(', ')}.`;
}
