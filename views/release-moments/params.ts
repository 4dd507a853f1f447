import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { numberParam, rowsParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the release moments view. */
export const params = {
  bucket_ms: numberParam('Moment', 'How long a moment is at most.', 1, {
    min: 0.000001,
    max: 60_000,
    unit: 'ms',
  }),
  at_least_ms: numberParam(
    'At least',
    'Waits that were both blocked and ready for less are left out. Empty: chosen so that the view is quick.',
    null,
    { min: 0, unit: 'ms' },
  ),
  limit: rowsParam('How many moments are listed.', 200, 5000),
};

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
