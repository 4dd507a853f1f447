import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'ranks come with them', is_required: true },
    { signal: 'ranks', without: 'there is nothing to show', is_required: true },
    { signal: 'focus', without: 'whether ranks changed with it is not known' },
    { signal: 'freezes', without: 'whether ranks changed with them is not known' },
  ],
  uses: ['sleeps'],
  gaps: 'a rank may have changed there unseen',
};
