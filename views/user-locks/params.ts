import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { rowsParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the user lock. */
export const params = {
  process: textParam('Process', 'Part of the process name, or its id.'),
  limit: rowsParam('How many, the longest.', 200, 2000),
};

/** Values for them. */
export type UserLocksParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'user_locks', without: 'nothing is known of the user lock', is_required: true },
    { signal: 'switches', without: 'what the holder did is not known' },
    { signal: 'ready_threads', without: 'whether the holder was ready is not known' },
  ],
  gaps: 'a hold or a wait may be missing',
};
