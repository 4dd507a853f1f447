import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: ['switches', 'samples'], without: 'who ran is not known', is_required: true },
    { signal: 'switches', without: 'CPU time is samples × interval' },
    { signal: 'samples', without: 'user and kernel time and stacks are not known' },
    {
      ...{ signal: 'stacks', part_of: 'samples' },
      without: 'the frame that recurs is the innermost one alone',
    },
  ],
  uses: ['counters'],
  gaps: 'CPU time there is missing, or with the wrong thread',
};
