import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { rowsParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the view of frozen processes. */
export const params = {
  process: textParam('Process', 'Part of the process name.'),
  limit: rowsParam('How many freezes are shown, the longest.', 500, 10_000),
};

/** Values for them. */
export type FrozenProcessesParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'freezes', without: 'nothing is known of frozen processes', is_required: true },
    { signal: 'switches', without: 'what ran while frozen and after a thaw is not known' },
    { signal: 'ready_threads', without: 'which frozen threads were readied is not known' },
  ],
  gaps: 'a freeze or a thaw may be missing',
};
