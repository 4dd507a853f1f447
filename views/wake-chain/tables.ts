import { programLabel, threadLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, columns, makeTable, withoutColumns, type Column } from '../kit/index.ts';
import type { ChainLink, ProcessReleases, Release, WakeChainModel } from './model.ts';
import { longestSentence, releaseSentence } from './sentences.ts';

const atLeast = (is: boolean) => (is ? '≥' : '');

const LINK_COLUMNS: readonly Column<ChainLink>[] = [
  column('thread', 'Thread', 'text', 'The thread; below it the one that woke it.', threadLabel),
  column('switch_in_ts', 'Ran at', 'time_ns', 'When it was switched in.'),
  column(
    'ran_ns',
    'Ran for',
    'duration_ns',
    'CPU time until it woke the thread above, or blocked until the DPC above; in the first row, until its run ended.',
  ),
  column('runs', 'Runs', 'count', 'In how many runs; it was preempted in between.'),
  column('ready_ns', 'Ready', 'duration_ns', 'How long it was ready before that: ran at − woken at.'),
  column(
    'blocked_since_start',
    '',
    'text',
    '≥ : it had been blocked since before the trace started.',
    (link) => atLeast(link.blocked_since_start),
  ),
  column('blocked_ns', 'Blocked', 'duration_ns', 'How long it had been blocked when it was woken.'),
  column('wait_reason', 'Wait reason', 'text', 'Why (KWAIT_REASON).'),
  column(
    'rank',
    'Rank',
    'count',
    'Its scheduler rank while it was ready; where nothing woke it, at the end of its run.',
  ),
  column('priority', 'Priority', 'count', 'Its priority at the switch-in.'),
  column('ready_ts', 'Woken at', 'time_ns', 'When it was woken.'),
  column('woken_by', 'Woken by', 'text', 'The thread that woke it, or a DPC.'),
  column('name', 'Thread name', 'text', 'The name the thread was given, if any.', (link) => link.thread),
];

const RELEASE_COLUMNS: readonly Column<Release>[] = [
  column('depth', 'Depth', 'count', 'Wakes between the chosen run and this thread.'),
  column('thread', 'Thread', 'text', 'The thread that was woken.', threadLabel),
  column('at_least', '', 'text', '≥ : the waiting began before the trace, or was not seen to end.', (row) =>
    atLeast(row.at_least),
  ),
  column(
    'waited_ns',
    'Waited',
    'duration_ns',
    'The waiting that ended: blocked and ready, until the switch-in.',
  ),
  column('ready_ns', 'Ready', 'duration_ns', 'How much of it the thread was ready.'),
  column('wait_reason', 'Wait reason', 'text', 'Why it had been blocked (KWAIT_REASON).'),
  column('rank', 'Rank', 'count', 'Its scheduler rank.'),
  column('priority', 'Priority', 'count', 'Its priority at the switch-in.'),
  column('ready_ts', 'Woken at', 'time_ns', 'When it was woken.'),
  column('switch_in_ts', 'Ran at', 'time_ns', 'When it was switched in. – : not before the trace ended.'),
  column('name', 'Thread name', 'text', 'The name the thread was given, if any.', (row) => row.thread),
];

const PROCESS_COLUMNS: readonly Column<ProcessReleases>[] = [
  column('process', 'Process', 'text', 'The process, and the service that it hosts.', programLabel),
  columns.pid,
  column('threads', 'Threads', 'count', 'How many of its threads were released.'),
  column('at_least', '', 'text', '≥ : one of the waits was longer than is known.', (row) =>
    atLeast(row.at_least),
  ),
  column(
    'waited_sum_ns',
    'Waited, sum',
    'duration_ns',
    'The waiting that ended, all releases together; parallel waits count each.',
  ),
  column('waited_max_ns', 'Longest', 'duration_ns', 'The longest of them.'),
];

/** The chain backward. */
export function linkTable(model: WakeChainModel): ViewTable {
  return makeTable('Who woke it', LINK_COLUMNS, model.links);
}

/**
 * The chain backward, for a window. Who woke a thread is in the row below, and when, so long before it ran as it was ready. The thread's
 * label has its name.
 */
export function shownLinks(model: WakeChainModel): ViewTable {
  return withoutColumns(linkTable(model), ['ready_ts', 'woken_by', 'name']);
}

/** The tree forward. */
export function releaseTable(model: WakeChainModel): ViewTable {
  return makeTable('What it released', RELEASE_COLUMNS, model.released);
}

/** The tree forward, for a window: the label of each thread has its name. */
export function shownReleases(model: WakeChainModel): ViewTable {
  return withoutColumns(releaseTable(model), ['name']);
}

/** The tree's totals. */
export function processTable(model: WakeChainModel): ViewTable {
  return makeTable('Released by process', PROCESS_COLUMNS, model.by_process);
}

/** The chain in sentences, what cannot be known first. */
export function shortTable(model: WakeChainModel): ViewTable {
  const sentence = column<string>(
    'sentence',
    'Sentence',
    'text',
    'What the tables below tell.',
    (text) => text,
  );
  const sentences = [
    ...model.notes,
    longestSentence(model),
    model.stop?.sentence ?? null,
    model.links.length === 0 ? 'No run to start from.' : releaseSentence(model),
    model.released_cut ? 'More was released than is listed.' : null,
  ];
  return makeTable(
    'In short',
    [sentence],
    sentences.filter((each) => each !== null),
  );
}

/** Everything the view draws. */
export function wakeChainTables(model: WakeChainModel): readonly ViewTable[] {
  return [shortTable(model), linkTable(model), releaseTable(model), processTable(model)];
}
