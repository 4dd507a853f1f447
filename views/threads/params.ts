import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the threads view. */
export const params = {
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Part of the name, or the process id.',
  },
  what: {
    type: 'choice',
    default: 'any',
    choices: ['any', 'threads', 'processes', 'exits'],
    label: 'Growth of',
    help: 'Threads made in a process, processes made by one, or ends of processes.',
  },
  pid: {
    type: 'number',
    default: null,
    chosen: true,
    label: 'Process id',
    help: 'The process whose growth is shown; otherwise that of the steepest.',
  },
  top: {
    type: 'number',
    default: 8,
    min: 1,
    max: 20,
    label: 'Lines',
    help: 'How many processes have a line: those with most threads at once.',
  },
} as const satisfies ParamSpecs;

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
