import type { ViewTable } from '../../shared/view/index.ts';
import { column, columns, makeTable, type Column } from '../kit/index.ts';
import type { RankChange, RankHistoryModel, RankLane } from './model.ts';

const PROCESS = { ...columns.process, help: 'The process of the thread.' };
const THREAD_COLUMNS = [PROCESS, columns.tid, columns.thread] as const;

const CHANGE_COLUMNS: readonly Column<RankChange>[] = [
  column('ts', 'Recorded at', 'time_ns', 'The end of the run that recorded the new rank first.'),
  ...THREAD_COLUMNS,
  column('from_rank', 'From', 'count', 'The rank that was recorded before.'),
  column('to_rank', 'To', 'count', 'The new rank: 0 is the best.'),
  column('kept_ns', 'Kept for', 'duration_ns', 'How long the new rank was kept.'),
  column(
    'ready_ns',
    'Ready there',
    'duration_ns',
    'How long the thread was ready, and did not run, while it kept the new rank.',
  ),
  column('ran_before_ns', 'CPU before', 'duration_ns', 'CPU time that the thread used in the second before.'),
  column('focus', 'Focus', 'text', 'The process that had the focus then. –: none, or not recorded.'),
  column(
    'frozen_ns',
    'Frozen there',
    'duration_ns',
    'How long its process was frozen while the rank was kept. –: not recorded.',
  ),
  column(
    'asleep_ns',
    'Asleep there',
    'duration_ns',
    'How long the machine slept while the rank was kept. –: no sleep was recorded.',
  ),
  column(
    'unseen_ns',
    'Changed within',
    'duration_ns',
    'How long before this the old rank had been recorded last: the change lies within.',
  ),
];

const LANE_COLUMNS: readonly Column<RankLane>[] = [
  ...THREAD_COLUMNS,
  column('highest_rank', 'Highest rank', 'count', 'The worst rank that it had.'),
  column('ranked_ns', 'Rank above 0', 'duration_ns', 'How long its rank was above 0 in the range.'),
  column('ran_ns', 'CPU there', 'duration_ns', 'CPU time that it got at a rank above 0.'),
  column(
    'ready_ns',
    'Ready there',
    'duration_ns',
    'How long it was ready, and did not run, at a rank above 0.',
  ),
  column('longest_ready_ns', 'Longest', 'duration_ns', 'The longest of these waits.'),
];

interface SpanRow {
  readonly lane: RankLane;
  readonly ts: number;
  readonly dur: number;
  readonly rank: number | null;
}

const SPAN_COLUMNS: readonly Column<SpanRow>[] = [
  { ...PROCESS, cell: ({ lane }) => PROCESS.cell(lane) },
  { ...columns.tid, cell: ({ lane }) => columns.tid.cell(lane) },
  column('ts', 'From', 'time_ns', 'When the span starts, or the range.'),
  column('dur', 'Length', 'duration_ns', 'How long it is in the range.'),
  column('rank', 'Rank', 'count', 'The rank that was kept. –: a ready wait at a rank above 0.'),
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
