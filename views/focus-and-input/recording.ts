import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'focus', without: 'who had the focus is not known' },
    { signal: 'input', without: 'what the user did is not known' },
  ],
  gaps: 'changes of the focus and input may be missing',
};
