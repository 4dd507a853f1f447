import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the user lock. */
export const params = {
  process: { type: 'text', default: null, label: 'Process', help: 'Part of the process name, or its id.' },
  limit: { type: 'number', default: 200, min: 1, max: 2000, label: 'Rows', help: 'How many, the longest.' },
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
