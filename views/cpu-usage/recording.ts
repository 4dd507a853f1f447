import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'who ran is not known', is_required: true },
    { signal: 'ranks', without: 'ranks are not shown' },
  ],
  uses: ['counters'],
  gaps: 'what ran there is hatched, or with the wrong thread where the CPU is not known',
};
