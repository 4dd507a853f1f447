import { formatCount } from '../../shared/model/index.ts';
import type { RankHistoryModel } from './model.ts';

/** What the view found, in a sentence. */
export function summary({ thread_count, change_count }: RankHistoryModel): string {
  if (thread_count === 0) return 'No thread is known to have had a rank above 0 here.';
  const threads = thread_count === 1 ? 'One thread' : `${formatCount(thread_count)} threads`;
  const changes = change_count === 1 ? 'one change' : `${formatCount(change_count)} changes`;
  return `${threads} had a rank above 0, with ${changes} of rank.`;
}

/** How many of all there are: `12`, or `500 of 1,234`. */
export function shownOf(shown: number, all: number): string {
  return shown < all ? `${formatCount(shown)} of ${formatCount(all)}` : formatCount(all);
}
