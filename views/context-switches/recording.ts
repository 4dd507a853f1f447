import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'how often CPUs switched is not known', is_required: true },
    { signal: 'samples', without: 'kernel time is not known' },
  ],
  gaps: 'there were more context switches than these',
};
