import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the view of frozen processes. */
export const params = {
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Part of the process name.',
  },
  limit: {
    type: 'number',
    default: 500,
    min: 1,
    max: 10_000,
    label: 'Rows',
    help: 'How many freezes are shown, the longest.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type FrozenProcessesParams = ParamValues<typeof params>;
