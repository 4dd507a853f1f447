import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'processes', without: 'there is nothing to list', is_required: true },
    { signal: 'process_lives', without: 'the list of processes does not change' },
    { signal: 'services', without: 'which process hosts which service is not known' },
  ],
  uses: ['ready_threads'],
};

/** What it takes to tell what exits waited for. */
export const exitRecording: RecordingNeeds = {
  needs: [{ signal: 'ready_threads', without: 'what exits waited for is not known', is_required: true }],
};
