import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { flagParam, rowsParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the view of focus and input. */
export const params = {
  moves: flagParam('Mouse moves', 'Whether moves of the mouse are shown too.'),
  limit: rowsParam('How many input events are shown, from the start of the range.', 5000, 100_000),
};

/** Values for them. */
export type FocusAndInputParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'focus', without: 'who had the focus is not known' },
    { signal: 'input', without: 'what the user did is not known' },
  ],
  gaps: 'changes of the focus and input may be missing',
};
