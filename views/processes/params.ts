import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { flagParam, numberParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the processes view. */
export const params = {
  process: textParam('Process', 'Part of the name, the command line or a service; or the process id.'),
  at_most_ms: numberParam(
    'Lived at most',
    'Only processes that were created and ended within the trace, and lived no longer.',
    null,
    { min: 0, unit: 'ms' },
  ),
  ended: flagParam('Ended', 'Only processes that ended within the trace.'),
};

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
