import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { choiceParam, numberParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the threads view. */
export const params = {
  process: textParam('Process', 'Part of the name, or the process id.'),
  what: choiceParam('Growth of', 'Threads made in a process, processes made by one, or ends of processes.', [
    'any',
    'threads',
    'processes',
    'exits',
  ]),
  pid: numberParam('Process id', 'The process whose growth is shown; otherwise that of the steepest.', null, {
    chosen: true,
  }),
  top: numberParam('Lines', 'How many processes have a line: those with most threads at once.', 8, {
    min: 1,
    max: 20,
  }),
};

/** Values for them. */
export type ThreadsParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'threads', without: 'there is nothing to list', is_required: true },
    { signal: 'thread_lives', without: 'the number of threads does not change' },
  ],
  uses: ['handles'],
};
