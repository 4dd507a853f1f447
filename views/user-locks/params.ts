import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

const OF_PROCESS = 'Shows only threads of processes whose name contains this, or that have this id.';
const ROWS = 'How many waits, holds and threads are shown, the longest.';

/** What can be asked of the user lock. */
export const params = {
  process: { type: 'text', default: null, label: 'Process', help: OF_PROCESS },
  limit: { type: 'number', default: 200, min: 1, max: 2000, label: 'Rows', help: ROWS },
} as const satisfies ParamSpecs;

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
