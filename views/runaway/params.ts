import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { numberParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the CPU time of threads. */
export const params = {
  process: textParam('Process', 'Shows only threads of processes whose name contains this.'),
  top: numberParam('Lines', 'How many threads are drawn over time, those with most CPU time first.', 8, {
    min: 1,
    max: 32,
  }),
};

/** Values for them. */
export type RunawayParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: ['switches', 'samples'], without: 'who ran is not known', is_required: true },
    { signal: 'switches', without: 'CPU time is samples × interval' },
    { signal: 'samples', without: 'user and kernel time and stacks are not known' },
    {
      ...{ signal: 'stacks', part_of: 'samples' },
      without: 'the frame that recurs is the innermost one alone',
    },
  ],
  uses: ['counters'],
  gaps: 'CPU time there is missing, or with the wrong thread',
};
