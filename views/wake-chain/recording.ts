import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'wakes are not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'waits of preempted threads are not known',
    },
    { signal: 'ready_threads', without: 'who woke whom is not known' },
  ],
  gaps: 'wakes may be missing, and a chain across a gap may be wrong',
};
