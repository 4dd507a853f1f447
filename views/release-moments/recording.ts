import type { RecordingNeeds } from '../../shared/recording/index.ts';

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
