import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the view. */
export const params = {
  tid: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    label: 'Thread',
    help: 'The id of the delayed thread. Left out: that of the longest ready wait in the range.',
  },
  from_ns: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    unit: 'ns',
    label: 'From',
    help: 'When the delay begins, on the trace clock. Left out: when the range begins.',
  },
  to_ns: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    unit: 'ns',
    label: 'To',
    help: 'When the delay ends, on the trace clock. Left out: when the range ends.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type ExplainParams = ParamValues<typeof params>;
