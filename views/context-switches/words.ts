import { formatCount } from '../../shared/model/index.ts';
import type { Pairs, SwitchesModel } from './model.ts';

/** How pairs were counted. */
export function pairsWords({ pairs, pair_count, one_in }: Pairs): string {
  const first =
    pairs.length < pair_count ? `the first ${formatCount(pairs.length)} of ${formatCount(pair_count)}; ` : '';
  return one_in === 1
    ? `${first}every switch and wake of the range`
    : first +
        `estimates: one in ${formatCount(Math.max(2, one_in))} looked at, evenly over the range; zoom in for exact counts`;
}

/** How many groups there are, and what a click does. */
export function groupsWords({ by, groups, group_count }: SwitchesModel): string {
  const count =
    groups.length < group_count
      ? `the first ${formatCount(groups.length)} of ${formatCount(group_count)}`
      : formatCount(group_count);
  if (by === 'process') return `${count}; click: its threads`;
  return by === 'thread' ? `${count}; click: its ready waits` : count;
}
