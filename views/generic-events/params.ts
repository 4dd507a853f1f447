import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { rowsParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the generic events view. */
export const params = {
  provider: textParam('Provider', 'Name of the provider whose events are listed; all if it is empty.'),
  event: textParam('Event', 'Name of the event that is listed. With a provider its fields become columns.'),
  search: textParam(
    'Search',
    'Only events that have this text in a field (its name or value), in the id of their activity or the one it is related to, or in the name of provider or event; case does not matter.',
  ),
  process: textParam('Process', 'Only events of processes with this id, or whose name contains this.'),
  thread: textParam('Thread', 'Only events of threads with this id, or whose name contains this.'),
  limit: rowsParam(
    'How many events of the range are listed, the first ones. Counts are of all.',
    5000,
    100_000,
  ),
};

/** Values for them. */
export type EventsParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [{ signal: 'generic_events', without: 'there is nothing to list', is_required: true }],
  gaps: 'events there are missing',
};
