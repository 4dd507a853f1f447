import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the generic events view. */
export const params = {
  provider: {
    type: 'text',
    default: null,
    label: 'Provider',
    help: 'Name of the provider whose events are listed; all if it is empty.',
  },
  event: {
    type: 'text',
    default: null,
    label: 'Event',
    help: 'Name of the event that is listed. With a provider its fields become columns.',
  },
  search: {
    type: 'text',
    default: null,
    label: 'Search',
    help: 'Only events that have this text in a field (its name or value), in the id of their activity or the one it is related to, or in the name of provider or event; case does not matter.',
  },
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Only events of processes with this id, or whose name contains this.',
  },
  thread: {
    type: 'text',
    default: null,
    label: 'Thread',
    help: 'Only events of threads with this id, or whose name contains this.',
  },
  limit: {
    type: 'number',
    default: 5000,
    min: 1,
    max: 100_000,
    label: 'Rows',
    help: 'How many events of the range are listed, the first ones. Counts are of all.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type EventsParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [{ signal: 'generic_events', without: 'there is nothing to list', is_required: true }],
  gaps: 'events there are missing',
};
