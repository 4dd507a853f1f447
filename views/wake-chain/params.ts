import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the wake chain view. */
export const params = {
  direction: {
    type: 'choice',
    default: 'backward',
    choices: ['backward', 'forward'],
    label: 'Direction',
    help: 'Who woke it (backward), or what it set free (forward).',
  },
  depth: {
    type: 'number',
    default: 50,
    min: 1,
    max: 1000,
    label: 'Depth',
    help: 'How many wakes are followed, in either direction.',
  },
  limit: {
    type: 'number',
    default: 1000,
    min: 1,
    max: 10_000,
    label: 'Released',
    help: 'How many released threads are followed forward, at most.',
  },
  past_dpc_ms: {
    type: 'number',
    default: 0,
    min: 0,
    unit: 'ms',
    label: 'Past DPCs',
    help: 'A DPC that ended a wait of up to so much ends no chain: it goes on with what the thread did before. 0: every DPC does.',
  },
  ts: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    unit: 'ns',
    label: 'Chosen run',
    help: 'A time within the chosen run, or before it, on the trace clock.',
  },
  tid: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    label: 'Chosen thread',
    help: 'The id of the thread whose run is chosen.',
  },
  link: {
    type: 'number',
    chosen: true,
    default: 0,
    min: 0,
    label: 'Chosen link',
    help: 'Which link of the chain backward is chosen: 0 is the chosen run, 1 the thread that woke it.',
  },
} as const satisfies ParamSpecs;

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
