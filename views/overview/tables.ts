import type { Finding } from '../../shared/findings/index.ts';
import type { NotRecorded } from '../../shared/recording/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, columns, makeTable, type Column } from '../kit/index.ts';
import type { Freeze, LateWait, OverviewModel, ProcessCpu, ProcessSpan, Recorded } from './model.ts';
import { factWords, verdictWords } from './words.ts';

const FINDING_COLUMNS: readonly Column<Finding>[] = [
  column(
    'lost_ns',
    'Lost',
    'duration_ns',
    'What the user lost by it, at most. –: not known.',
    ({ seconds_lost }) => (seconds_lost === 0 ? null : seconds_lost * 1e9),
  ),
  column('title', 'Finding', 'text', 'What it is.'),
  column('sentence', 'What happened', 'text', 'What happened.'),
  column('ts', 'From', 'time_ns', 'When it began.', ({ where }) => where.span.start),
  column('te', 'To', 'time_ns', 'When it ended.', ({ where }) => where.span.end),
  column('proof', 'Proof', 'text', 'The view that shows it.', ({ proof }) => proof.view),
];

const WAIT_COLUMNS: readonly Column<LateWait>[] = [
  column('dur', 'Ready', 'duration_ns', 'How long it was ready without running.'),
  { ...columns.process, help: 'The process of the thread.' },
  columns.tid,
  column('rank', 'Rank', 'count', 'Its rank while it waited: 0 goes first.'),
  column('priority', 'Priority', 'count', 'Its priority: the higher goes first.'),
  column('verdict', 'Why late', 'text', 'The main reason, judged by a few instants.', verdictWords),
  column('ts', 'Ready at', 'time_ns', 'When it became ready.'),
];

const PROCESS_COLUMNS: readonly Column<ProcessCpu>[] = [
  column('process', 'Process', 'text', 'Name of its image file.'),
  columns.pid,
  column('ran_ns', 'CPU time', 'duration_ns', 'How long its threads ran.'),
  column('share', 'Of all CPUs', 'share', 'CPU time / (length × CPUs).'),
  column('services', 'Services', 'text', 'The services that it hosts.'),
];

const SPAN_COLUMNS: readonly Column<ProcessSpan>[] = [
  column('dur', 'For', 'duration_ns', 'How long.'),
  columns.process,
  columns.pid,
  column('ts', 'From', 'time_ns', 'Since when within the recording.'),
];

const FREEZE_COLUMNS: readonly Column<Freeze>[] = [
  ...SPAN_COLUMNS,
  column('ends', 'Ends', 'text', 'Which ends were recorded.', ({ open_start, open_end }) =>
    open_start ? 'frozen before the trace' : open_end ? 'not thawed in the trace' : 'frozen and thawed',
  ),
];

const RECORDED_COLUMNS: readonly Column<Recorded>[] = [
  column('what', 'What', 'text', 'The kind of events; of generic events the provider.'),
  column('events', 'Events', 'count', 'How many the whole file holds.'),
  column('shown_by', 'Shown by', 'text', 'The view that shows them.'),
];

const MISSING_COLUMNS: readonly Column<NotRecorded>[] = [
  column('what', 'Not recorded', 'text', 'What the trace does not tell.'),
  column('record', 'Recorded by', 'text', 'What records it.'),
];

/** What was found. */
export function findingTable({ findings }: OverviewModel): ViewTable {
  return makeTable('Findings', FINDING_COLUMNS, findings?.findings ?? []);
}

/** The longest ready waits. */
export function waitTable({ waits }: OverviewModel): ViewTable {
  return makeTable('Worst ready waits', WAIT_COLUMNS, waits ?? []);
}

/** The processes that used most CPU time. */
export function processTable({ processes }: OverviewModel): ViewTable {
  return makeTable('Processes by CPU time', PROCESS_COLUMNS, processes);
}

/** The longest freezes, no more than `limit`. */
export function freezeTable({ freezes }: OverviewModel, limit = freezes.length): ViewTable {
  return makeTable('Freezes', FREEZE_COLUMNS, freezes.slice(0, limit));
}

/** What the file holds. */
export function recordedTable({ recorded }: OverviewModel): ViewTable {
  return makeTable('Recorded', RECORDED_COLUMNS, recorded);
}

/** Everything the view draws. */
export function overviewTables(model: OverviewModel): readonly ViewTable[] {
  const factColumns: readonly Column<readonly [string, string]>[] = [
    column('fact', 'Fact', 'text', 'What is told.', ([name]) => name),
    column('value', 'Value', 'text', 'What it is.', ([, value]) => value),
  ];
  return [
    makeTable('Recording', factColumns, factWords(model)),
    findingTable(model),
    waitTable(model),
    processTable(model),
    freezeTable(model),
    makeTable('Focus', SPAN_COLUMNS, model.focus),
    recordedTable(model),
    makeTable('Not recorded', MISSING_COLUMNS, model.missing),
  ];
}
