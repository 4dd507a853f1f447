import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'samples', without: 'which code ran is not known', is_required: true },
    { signal: 'stacks', without: 'callers are not known' },
    { signal: 'symbols', without: 'native code is named by its module and the address in it' },
  ],
  gaps: 'samples there are missing',
};
