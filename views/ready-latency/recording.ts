import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'waits are not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'waits of preempted threads are not known',
    },
    { signal: 'ready_threads', without: 'when a waiting thread became ready is not known' },
    { signal: 'ranks', without: 'ranks are not shown', part_of: 'switch_states' },
  ],
  uses: ['interrupts', 'affinities', 'freezes'],
  gaps: 'waits and runs there may be missing, too long, or joined from two',
};
