import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the rank history view. */
export const params = {
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Part of the process name.',
  },
  lanes: {
    type: 'number',
    default: 40,
    min: 1,
    max: 500,
    label: 'Lanes',
    help: 'How many threads are shown, those longest at a rank above 0 first.',
  },
  limit: {
    type: 'number',
    default: 500,
    min: 1,
    max: 10_000,
    label: 'Rows',
    help: 'How many changes are listed, from the start of the range.',
  },
} as const satisfies ParamSpecs;

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
