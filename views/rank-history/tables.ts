import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from '../kit/index.ts';
import type { RankChange, RankHistoryModel, RankLane } from './model.ts';

function threadColumns<T extends Pick<RankLane, 'process' | 'thread' | 'tid'>>(): readonly Column<T>[] {
  return [
    column('process', 'Process', 'text', 'The process of the thread.', (row) => row.process),
    column('tid', 'Thread', 'text', 'The id of the thread.', ({ tid }) => String(tid)),
    column('thread', 'Thread name', 'text', 'The name the thread was given, if any.', (row) => row.thread),
  ];
}

const CHANGE_COLUMNS: readonly Column<RankChange>[] = [
  column(
    'ts',
    'Recorded at',
    'time_ns',
    'The end of the run that recorded the new rank first.',
    ({ ts }) => ts,
  ),
  ...threadColumns<RankChange>(),
  column('from_rank', 'From', 'count', 'The rank that was recorded before.', (row) => row.from_rank),
  column('to_rank', 'To', 'count', 'The new rank: 0 is the best.', (row) => row.to_rank),
  column('kept_ns', 'Kept for', 'duration_ns', 'How long the new rank was kept.', (row) => row.kept_ns),
  column(
    'ready_ns',
    'Ready there',
    'duration_ns',
    'How long the thread was ready, and did not run, while it kept the new rank.',
    (row) => row.ready_ns,
  ),
  column(
    'ran_before_ns',
    'CPU before',
    'duration_ns',
    'CPU time that the thread used in the second before.',
    (row) => row.ran_before_ns,
  ),
  column(
    'focus',
    'Focus',
    'text',
    'The process that had the focus then. –: none, or not recorded.',
    (row) => row.focus,
  ),
  column(
    'frozen_ns',
    'Frozen there',
    'duration_ns',
    'How long its process was frozen while the rank was kept. –: not recorded.',
    (row) => row.frozen_ns,
  ),
  column(
    'asleep_ns',
    'Asleep there',
    'duration_ns',
    'How long the machine slept while the rank was kept. –: no sleep was recorded.',
    (row) => row.asleep_ns,
  ),
  column(
    'unseen_ns',
    'Changed within',
    'duration_ns',
    'How long before this the old rank had been recorded last: the change lies within.',
    (row) => row.unseen_ns,
  ),
];

const LANE_COLUMNS: readonly Column<RankLane>[] = [
  ...threadColumns<RankLane>(),
  column('highest_rank', 'Highest rank', 'count', 'The worst rank that it had.', (row) => row.highest_rank),
  column(
    'ranked_ns',
    'Rank above 0',
    'duration_ns',
    'How long its rank was above 0 in the range.',
    (row) => row.ranked_ns,
  ),
  column(
    'ran_ns',
    'CPU there',
    'duration_ns',
    'CPU time that it got at a rank above 0.',
    (row) => row.ran_ns,
  ),
  column(
    'ready_ns',
    'Ready there',
    'duration_ns',
    'How long it was ready, and did not run, at a rank above 0.',
    (row) => row.ready_ns,
  ),
  column(
    'longest_ready_ns',
    'Longest',
    'duration_ns',
    'The longest of these waits.',
    (row) => row.longest_ready_ns,
  ),
];

interface SpanRow {
  readonly lane: RankLane;
  readonly ts: number;
  readonly dur: number;
  readonly rank: number | null;
}

const SPAN_COLUMNS: readonly Column<SpanRow>[] = [
  column('process', 'Process', 'text', 'The process of the thread.', ({ lane }) => lane.process),
  column('tid', 'Thread', 'text', 'The id of the thread.', ({ lane }) => String(lane.tid)),
  column('ts', 'From', 'time_ns', 'When the span starts, or the range.', ({ ts }) => ts),
  column('dur', 'Length', 'duration_ns', 'How long it is in the range.', ({ dur }) => dur),
  column(
    'rank',
    'Rank',
    'count',
    'The rank that was kept. –: a ready wait at a rank above 0.',
    (row) => row.rank,
  ),
];

/** The changes of rank. */
export function changeTable(model: RankHistoryModel): ViewTable {
  return makeTable('Changes of rank', CHANGE_COLUMNS, model.changes);
}

/** The threads, and what they did at a rank above 0. */
export function laneTable(model: RankHistoryModel): ViewTable {
  return makeTable('Threads with a rank above 0', LANE_COLUMNS, model.lanes);
}

/** Everything the view draws. */
export function rankHistoryTables(model: RankHistoryModel): readonly ViewTable[] {
  const spans = model.lanes.flatMap((lane) => [
    ...lane.spans.map((span) => ({ lane, ...span })),
    ...lane.waits.map((wait) => ({ lane, ...wait, rank: null })),
  ]);
  return [
    changeTable(model),
    laneTable(model),
    makeTable('Ranks and long ready waits over time', SPAN_COLUMNS, spans),
  ];
}
