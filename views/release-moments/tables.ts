import type { Moment, StepPeak } from '../../shared/releases/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from '../kit/index.ts';
import type { ReleaseMomentsModel } from './model.ts';

const AT_LEAST_HELP = '≥ : a wait began before the trace, and was longer than is known.';

const MOMENT_COLUMNS: readonly Column<Moment>[] = [
  column('ts', 'Moment', 'time_ns', 'When the moment starts.'),
  column('at_least', '', 'text', AT_LEAST_HELP, (row) => (row.at_least ? '≥' : '')),
  column(
    'waited_sum_ns',
    'Waiting ended',
    'duration_ns',
    'Blocked and ready, until the switch-in, all threads together; parallel waits count each.',
  ),
  column('waited_max_ns', 'Longest', 'duration_ns', 'The longest of the waits.'),
  column('threads', 'Threads', 'count', 'How many threads had waited.'),
  column('processes', 'Processes', 'count', 'Of how many processes.'),
  column('released_by', 'Released by', 'text', 'Whose wakes ended most of the waiting.'),
  column('released_sum_ns', 'Of it', 'duration_ns', 'How much of the waiting that one ended.'),
  column(
    'begun_by',
    'Begun by',
    'text',
    'Who had woken that one, who that one, and so on to the first that had not itself just waited, for longer than it then ran.',
  ),
];

const PEAK_COLUMNS: readonly Column<StepPeak>[] = [
  column('ts', 'From', 'time_ns', 'When the step of time starts.'),
  column('dur', 'Length', 'duration_ns', 'How long the step is.'),
  column('at_least', '', 'text', AT_LEAST_HELP, (row) => (row.at_least ? '≥' : '')),
  column('waited_sum_ns', 'Waiting ended', 'duration_ns', 'The most that ended in one moment of the step.'),
];

/** The moments in which most waiting ended. */
export function momentTable(model: ReleaseMomentsModel): ViewTable {
  return makeTable('Release moments', MOMENT_COLUMNS, model.moments);
}

/** Everything the view draws. */
export function releaseMomentsTables(model: ReleaseMomentsModel): readonly ViewTable[] {
  return [momentTable(model), makeTable('Greatest moments over time', PEAK_COLUMNS, model.peaks)];
}
