import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'threads', without: 'there is nothing to list', is_required: true },
    { signal: 'thread_lives', without: 'the number of threads does not change' },
  ],
  uses: ['handles'],
};
