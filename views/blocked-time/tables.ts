import { threadLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from '../kit/index.ts';
import type { BlockedTimeModel } from './load.ts';
import type { BlockedRow } from './sums.ts';

const columnsOf = (all_ns: number): readonly Column<BlockedRow>[] => [
  column('ns', 'Blocked', 'duration_ns', 'Blocked time within the range, of all threads together.'),
  column('share', 'Share', 'share', 'The same as a part of all that is counted.', ({ ns }) => ns / all_ns),
  column('count', 'Blocks', 'count', 'How often a thread was blocked.'),
  column('key', 'What', 'text', 'What the blocks have in common. Of stacks the innermost call comes first.'),
  column(
    'longest_ns',
    'Longest',
    'duration_ns',
    'The longest block, also where the range holds only a part of it.',
  ),
  column('longest_ts', 'At', 'time_ns', 'When that one began.'),
  column('thread', 'Its thread', 'text', 'The thread that was blocked then.', ({ thread }) =>
    threadLabel(thread),
  ),
];

const NOTE = column('note', 'Note', 'text', 'What is not known, and what would record it.');

/** The sums, by each of the sides that blocks have; and what was not recorded. */
export function blockedTimeTables({ lists, ns, notes }: BlockedTimeModel): readonly ViewTable[] {
  const sums = lists.map(({ title, rows }) => makeTable(title, columnsOf(Math.max(1, ns)), rows));
  if (notes.length === 0) return sums;
  return [
    ...sums,
    makeTable(
      'Not recorded',
      [NOTE],
      notes.map((note) => ({ note })),
    ),
  ];
}
