import { threadLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from '../kit/index.ts';
import type { LockThread, LockWait, UserLocksModel } from './load.ts';

const THREAD = column('thread', 'Thread', 'text', 'The thread.', (row: LockWait | LockThread) =>
  threadLabel(row.thread),
);

const WAIT_COLUMNS: readonly Column<LockWait>[] = [
  column('ts', 'Began', 'time_ns', 'When it began to wait.'),
  column('dur', 'Waited', 'duration_ns', 'How long it waited.'),
  THREAD,
  column('wants', 'To', 'text', 'Whether it wanted to have the lock alone, or to share it with readers.'),
  column('holder', 'Held by', 'text', 'Who held the lock longest meanwhile. –: not known.', ({ holder }) =>
    holder === undefined ? null : threadLabel(holder),
  ),
  column('held_ns', 'Held', 'duration_ns', 'How long that thread held it during the wait.'),
  column('ran_ns', 'Holder ran', 'duration_ns', 'How much of that time the holder ran.'),
  column('ready_ns', 'Holder ready', 'duration_ns', 'How much of it the holder was ready, and did not run.'),
  column('blocked_ns', 'Holder blocked', 'duration_ns', 'The rest of it: the holder waited.', (wait) =>
    wait.ran_ns === null || wait.ready_ns === null ? null : wait.held_ns - wait.ran_ns - wait.ready_ns,
  ),
];

const THREAD_COLUMNS: readonly Column<LockThread>[] = [
  THREAD,
  column('waits', 'Waits', 'count', 'How often it waited for the lock.'),
  column('waited_ns', 'Waited', 'duration_ns', 'How long it waited in the range.'),
  column('holds', 'Holds', 'count', 'How often it held the lock.'),
  column('held_ns', 'Held', 'duration_ns', 'How long it held the lock in the range.'),
];

/** The waits, and what each thread had to do with the lock. */
export const userLockTables = ({ waits, threads }: UserLocksModel): readonly [ViewTable, ViewTable] => [
  makeTable('Waits for the user lock', WAIT_COLUMNS, waits),
  makeTable('Threads at the user lock', THREAD_COLUMNS, threads),
];
