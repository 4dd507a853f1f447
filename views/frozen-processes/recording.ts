import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'freezes', without: 'nothing is known of frozen processes', is_required: true },
    { signal: 'switches', without: 'what ran while frozen and after a thaw is not known' },
    { signal: 'ready_threads', without: 'which frozen threads were readied is not known' },
  ],
  gaps: 'a freeze or a thaw may be missing',
};
