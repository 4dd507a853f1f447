import type { ParamSpecs } from '../../shared/view/index.ts';

/** What can be asked of the system view. */
export const params = {
  stopped: {
    type: 'flag',
    default: false,
    label: 'Stopped services',
    help: 'Lists services that did not run as well.',
  },
} as const satisfies ParamSpecs;
