import { flagParam } from '../../shared/view/index.ts';

/** What can be asked of the system view. */
export const params = {
  stopped: flagParam('Stopped services', 'Lists services that did not run as well.'),
};
