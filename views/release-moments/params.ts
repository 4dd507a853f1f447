import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the release moments view. */
export const params = {
  bucket_ms: {
    type: 'number',
    default: 1,
    min: 0.000001,
    max: 60_000,
    unit: 'ms',
    label: 'Moment',
    help: 'How long a moment is at most.',
  },
  at_least_ms: {
    type: 'number',
    default: null,
    min: 0,
    unit: 'ms',
    label: 'At least',
    help: 'Waits that were both blocked and ready for less are left out. Empty: chosen so that the view is quick.',
  },
  limit: {
    type: 'number',
    default: 200,
    min: 1,
    max: 5000,
    label: 'Rows',
    help: 'How many moments are listed.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type ReleaseMomentsParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'waits are not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'waits of preempted threads are not known',
    },
    { signal: 'ready_threads', without: 'only waits of preempted threads are shown' },
  ],
  gaps: 'waits there may be missing, too long, or joined from two',
};
