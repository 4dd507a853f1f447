import type { Exponent, Order } from '../../shared/growth/index.ts';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { processLabel, type NamedProcess } from '../../shared/threads/index.ts';
import type { SeriesGrowth } from './model.ts';

/** What all together take, where each has this order. */
export const TOGETHER: Readonly<Record<Order, string>> = {
  'O(1)': 'O(n)',
  'O(n)': 'O(n²)',
  'O(n²)': 'O(n³)',
};

/** An interval that holds both no growth and this much growth shows neither. */
const TELLING = 0.5;

/** What a series is of: `threads of server.exe (pid 16)`. */
export function growthLabel({ what, ...process }: Pick<SeriesGrowth, 'what'> & NamedProcess): string {
  if (what === 'exits') return 'ends of processes';
  const who = processLabel(process);
  return what === 'threads' ? `threads of ${who}` : `processes made by ${who}`;
}

/** An exponent with its interval: `n^0.98 (0.95 to 1.01 at 95 %, R² 0.99)`. */
export function exponentWords({ value, low, high, r2 }: Exponent): string {
  const [power, from, to, explained] = [value, low, high, r2].map((each) =>
    each.toFixed(2).replace('-', '−'),
  );
  return `n^${power ?? ''} (${from ?? ''} to ${to ?? ''} at 95 %, R² ${explained ?? ''})`;
}

/** What a series tells, in sentences. */
export function growthSentences(growth: SeriesGrowth): readonly string[] {
  const { fit, count, beyond_ns } = growth;
  const like = `over what was measured like ${exponentWords(fit.exponent)}`;
  const what = `${formatCount(count)} ${growthLabel(growth)}`;
  if (fit.order === 'O(1)') {
    const { low, high } = fit.exponent;
    return [
      low <= 0 && high >= TELLING
        ? `${what}: whether each takes longer the more there were cannot be told from this; ${like}.`
        : `${what}: no growth, each takes the same, O(1), whatever their count; ${like}.`,
      `${formatDuration(fit.first_ns)} from one to the next at first, ${formatDuration(fit.last_ns)} at last.`,
    ];
  }
  return [
    `${what}: each takes longer the more there were, ${fit.order}; all together take ${TOGETHER[fit.order]}; ${like}.`,
    `${formatDuration(fit.first_ns)} from one to the next at first, ${formatDuration(fit.last_ns)} at last: ${formatDuration(beyond_ns)} more in all than at the first one’s pace.`,
  ];
}
