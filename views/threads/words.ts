import { formatCount, formatDuration, formatShare } from '../../shared/model/index.ts';
import type { Growth, Order } from './model.ts';

/** What all together take, where each has this order. */
export const TOGETHER: Readonly<Record<Order, string>> = {
  'O(1)': 'O(n)',
  'O(n)': 'O(n²)',
  'O(n²)': 'O(n³)',
};

/** What a series is of: `threads of server.exe (pid 16)`. */
export function growthLabel({ what, pid, process }: Pick<Growth, 'what' | 'pid' | 'process'>): string {
  if (what === 'exits') return 'ends of processes';
  const who = `${process ?? 'unknown process'} (pid ${pid ?? '?'})`;
  return what === 'threads' ? `threads of ${who}` : `processes made by ${who}`;
}

/** What a series tells, in sentences. */
export function growthSentences(growth: Growth): readonly string[] {
  const { fit, count, beyond_ns } = growth;
  const sure = `confidence ${formatShare(fit.confidence)}`;
  const what = `${formatCount(count)} ${growthLabel(growth)}`;
  if (fit.order === 'O(1)') {
    return [
      `${what}: each takes the same, O(1), whatever their count (${sure}).`,
      `${formatDuration(fit.first_ns)} from one to the next at first, ${formatDuration(fit.last_ns)} at last.`,
    ];
  }
  return [
    `${what}: each takes longer the more there were, ${fit.order}; all together take ${TOGETHER[fit.order]} (${sure}).`,
    `${formatDuration(fit.first_ns)} from one to the next at first, ${formatDuration(fit.last_ns)} at last: ${formatDuration(beyond_ns)} more in all than at the first one’s pace.`,
  ];
}
