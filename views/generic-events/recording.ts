import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [{ signal: 'generic_events', without: 'there is nothing to list', is_required: true }],
  gaps: 'events there are missing',
};
