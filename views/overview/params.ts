import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the overview. */
export const params = {
  limit: {
    type: 'number',
    default: 12,
    min: 1,
    max: 100,
    label: 'Rows',
    help: 'How many ready waits, processes and freezes are listed.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type OverviewParams = ParamValues<typeof params>;
