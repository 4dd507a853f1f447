import { threadLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, columns, makeTable, type Column } from '../kit/index.ts';
import { freezesOf, type Freeze, type FrozenLane, type FrozenProcessesModel } from './model.ts';
import { frozenWords, meanwhileWords } from './words.ts';

const PROCESS_COLUMNS = [{ ...columns.process, help: 'The frozen process.' }, columns.pid] as const;

/** Which ends of a freeze are known. */
function knownEnds({ start, end }: Freeze): string {
  if (start === 'before_trace') return 'before the trace to thaw';
  if (start === 'unknown') return 'not recorded to thaw';
  switch (end) {
    case 'thawed':
      return 'freeze to thaw';
    case 'exited':
      return 'freeze to exit';
    case 'trace_end':
      return "freeze to the trace's end";
  }
}

const FREEZE_COLUMNS: readonly Column<Freeze>[] = [
  column(
    'frozen_at',
    'Frozen at',
    'time_ns',
    'When it was frozen. –: before the trace, or not recorded.',
    ({ ts, start }) => (start === 'recorded' ? ts : null),
  ),
  column(
    'thawed_at',
    'Thawed at',
    'time_ns',
    'When it was thawed. –: not until the process or the trace ended.',
    ({ ts, dur, end }) => (end === 'thawed' ? ts + dur : null),
  ),
  column('dur', 'Frozen for', 'duration_ns', 'How long it was frozen within the trace.'),
  column('ends', 'From – to', 'text', 'Which ends of the freeze are in the trace.', knownEnds),
  ...PROCESS_COLUMNS,
  column('frozen_by', 'Frozen by', 'text', 'The thread that froze it. –: not recorded.', ({ frozen_by }) =>
    frozen_by === null ? null : threadLabel(frozen_by),
  ),
  column(
    'readied_threads',
    'Threads readied',
    'count',
    'How many of its threads were readied while it was frozen. –: not recorded.',
  ),
  column(
    'first_readied_at',
    'First readied at',
    'time_ns',
    'When the first of them was readied.',
    ({ first_readied }) => first_readied?.ts ?? null,
  ),
  column(
    'first_readied',
    'First readied',
    'text',
    'The first thread that was readied, and by whom.',
    ({ first_readied }) => {
      if (first_readied === null) return null;
      const { thread, by } = first_readied;
      return `tid ${thread.tid} by ${by === 'a DPC' ? by : threadLabel(by)}`;
    },
  ),
  column(
    'ran_ns',
    'Ran while frozen',
    'duration_ns',
    'CPU time that its threads got while it was frozen. –: not recorded.',
  ),
  column(
    'first_run_after_ns',
    'First run after thaw',
    'duration_ns',
    'How long after the thaw a thread of it ran again. –: none did before the next freeze or the end.',
    ({ first_run }) => first_run?.after_ns ?? null,
  ),
  column('first_run_tid', 'Ran first', 'text', 'The id of the thread that did.', ({ first_run }) =>
    first_run === null ? null : String(first_run.thread.tid),
  ),
];

const LANE_COLUMNS: readonly Column<FrozenLane>[] = [
  ...PROCESS_COLUMNS,
  column('freezes', 'Freezes', 'count', 'How often it was frozen.', ({ freezes }) => freezes.length),
  column('frozen_ns', 'Frozen for', 'duration_ns', 'How long it was frozen in the range.'),
];

/** The freezes. */
export function freezeTable(model: FrozenProcessesModel): ViewTable {
  const { origin_ns } = model;
  const words: readonly Column<Freeze>[] = [
    column('words', 'In words', 'text', 'What that was.', (row) => frozenWords(row, origin_ns)),
    column('meanwhile', 'Meanwhile', 'text', 'What became of its threads.', (row) =>
      meanwhileWords(row, origin_ns),
    ),
  ];
  return makeTable('Freezes', [...FREEZE_COLUMNS, ...words], freezesOf(model));
}

/** Everything the view draws. */
export function frozenProcessesTables(model: FrozenProcessesModel): readonly ViewTable[] {
  return [freezeTable(model), makeTable('Frozen processes', LANE_COLUMNS, model.lanes)];
}
