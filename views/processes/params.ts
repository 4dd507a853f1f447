import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the processes view. */
export const params = {
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Part of the name, the command line or a service; or the process id.',
  },
  at_most_ms: {
    type: 'number',
    default: null,
    min: 0,
    unit: 'ms',
    label: 'Lived at most',
    help: 'Only processes that were created and ended within the trace, and lived no longer.',
  },
  ended: {
    type: 'flag',
    default: false,
    label: 'Ended',
    help: 'Only processes that ended within the trace.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type ProcessesParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'processes', without: 'there is nothing to list', is_required: true },
    { signal: 'process_lives', without: 'the list of processes does not change' },
    { signal: 'services', without: 'which process hosts which service is not known' },
  ],
  uses: ['ready_threads'],
};

/** What it takes to tell what exits waited for. */
export const exitRecording: RecordingNeeds = {
  needs: [{ signal: 'ready_threads', without: 'what exits waited for is not known', is_required: true }],
};
