import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the CPU time of threads. */
export const params = {
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Shows only threads of processes whose name contains this.',
  },
  top: {
    type: 'number',
    default: 8,
    min: 1,
    max: 32,
    label: 'Lines',
    help: 'How many threads are drawn over time, those with most CPU time first.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type RunawayParams = ParamValues<typeof params>;
