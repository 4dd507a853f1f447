import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { numberParam, rowsParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the rank history view. */
export const params = {
  process: textParam('Process', 'Part of the process name.'),
  lanes: numberParam('Lanes', 'How many threads are shown, those longest at a rank above 0 first.', 40, {
    min: 1,
    max: 500,
  }),
  limit: rowsParam('How many changes are listed, from the start of the range.', 500, 10_000),
};

/** Values for them. */
export type RankHistoryParams = ParamValues<typeof params>;

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
