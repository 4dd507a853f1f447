import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'what ran is not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'why threads were blocked is not known',
    },
    { signal: 'ready_threads', without: 'when a blocked thread became ready is not known' },
    { signal: 'ranks', without: 'whether a rank made threads late is not known', part_of: 'switch_states' },
  ],
  uses: ['interrupts', 'affinities', 'freezes'],
  shows_alone: ['focus', 'input', 'freezes', 'sleeps', 'disk_io', 'interrupts', 'samples'],
  gaps: 'tracks are hatched where nothing is known',
};
