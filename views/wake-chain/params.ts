import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { choiceParam, numberParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the wake chain view. */
export const params = {
  direction: choiceParam('Direction', 'Who woke it (backward), or what it set free (forward).', [
    'backward',
    'forward',
  ]),
  depth: numberParam('Depth', 'How many wakes are followed, in either direction.', 50, { min: 1, max: 1000 }),
  limit: numberParam('Released', 'How many released threads are followed forward, at most.', 1000, {
    min: 1,
    max: 10_000,
  }),
  past_dpc_ms: numberParam(
    'Past DPCs',
    'A DPC that ended a wait of up to so much ends no chain: it goes on with what the thread did before. 0: every DPC does.',
    0,
    { min: 0, unit: 'ms' },
  ),
  ts: numberParam('Chosen run', 'A time within the chosen run, or before it, on the trace clock.', null, {
    min: 0,
    unit: 'ns',
    chosen: true,
  }),
  tid: numberParam('Chosen thread', 'The id of the thread whose run is chosen.', null, {
    min: 0,
    chosen: true,
  }),
  link: numberParam(
    'Chosen link',
    'Which link of the chain backward is chosen: 0 is the chosen run, 1 the thread that woke it.',
    0,
    { min: 0, chosen: true },
  ),
};

/** Values for them. */
export type WakeChainParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'wakes are not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'waits of preempted threads are not known',
    },
    { signal: 'ready_threads', without: 'who woke whom is not known' },
  ],
  gaps: 'wakes may be missing, and a chain across a gap may be wrong',
};
