import { numberParam, type ParamValues } from '../../shared/view/index.ts';
import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What can be asked of the view. */
export const params = {
  tid: numberParam(
    'Thread',
    'The id of the delayed thread. Left out: that of the longest ready wait in the range.',
    null,
    { min: 0, chosen: true },
  ),
  from_ns: numberParam(
    'From',
    'When the delay begins, on the trace clock. Left out: when the range begins.',
    null,
    { min: 0, unit: 'ns', chosen: true },
  ),
  to_ns: numberParam('To', 'When the delay ends, on the trace clock. Left out: when the range ends.', null, {
    min: 0,
    unit: 'ns',
    chosen: true,
  }),
};

/** Values for them. */
export type ExplainParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'what threads did is not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'a thread that was put aside looks blocked',
    },
    { signal: 'ready_threads', without: 'who ended a wait is not known' },
    { signal: 'ranks', without: 'a wait by rank is not told from one by priority', part_of: 'switch_states' },
    { signal: 'interrupts', without: 'DPCs and interrupts explain nothing' },
  ],
  uses: ['affinities', 'freezes', 'disk_io', 'file_io', 'hard_faults'],
  gaps: 'time in them is not recorded',
};
