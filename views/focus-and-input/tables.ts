import { processLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from '../kit/index.ts';
import {
  spansOf,
  type FocusAndInputModel,
  type FocusLane,
  type FocusSpan,
  type InputEvent,
} from './model.ts';
import { inputWords } from './words.ts';

/** A row of the table of events: the focus moved, or the user did something. */
export type EventRow = FocusSpan | InputEvent;

/** Whether an event is a change of the focus. */
export function isFocus(event: EventRow): event is FocusSpan {
  return 'dur' in event;
}

/** Changes of the focus and input, in the order of time. */
export function eventsOf(model: FocusAndInputModel): readonly EventRow[] {
  return [...spansOf(model), ...model.inputs].sort((a, b) => a.ts - b.ts);
}

const EVENT_COLUMNS: readonly Column<EventRow>[] = [
  column(
    'ts',
    'At',
    'time_ns',
    "When it happened; for a focus held since before the trace, the trace's start.",
  ),
  column('event', 'Event', 'text', 'What happened.', (row) => {
    if (!isFocus(row)) return inputWords(row);
    return row.open_start ? 'had the focus before the trace' : 'got the focus';
  }),
  column('process', 'Process', 'text', 'The process that got the focus, or had it at the time.', (row) =>
    isFocus(row) ? processLabel(row) : row.focus,
  ),
  column('dur', 'Focus for', 'duration_ns', 'How long it had the focus within the trace.', (row) =>
    isFocus(row) ? row.dur : null,
  ),
  column('x', 'x', 'count', 'Where the mouse was, in pixels from the left.', (row) =>
    isFocus(row) ? null : row.x,
  ),
  column('y', 'y', 'count', 'Where the mouse was, in pixels from the top.', (row) =>
    isFocus(row) ? null : row.y,
  ),
  column('session', 'Session', 'text', 'The terminal session whose focus it is.', (row) =>
    isFocus(row) && row.session !== null ? String(row.session) : null,
  ),
];

const LANE_COLUMNS: readonly Column<FocusLane>[] = [
  column('process', 'Process', 'text', 'The process that had the focus.', processLabel),
  column('spans', 'Times', 'count', 'How often it had it.', ({ spans }) => spans.length),
  column('focused_ns', 'Focus for', 'duration_ns', 'How long it had it in the range.'),
];

/** Changes of the focus and input. */
export function eventTable(model: FocusAndInputModel): ViewTable {
  return makeTable('Focus and input', EVENT_COLUMNS, eventsOf(model));
}

/** Everything the view draws. */
export function focusAndInputTables(model: FocusAndInputModel): readonly ViewTable[] {
  return [eventTable(model), makeTable('Processes that had the focus', LANE_COLUMNS, model.lanes)];
}
