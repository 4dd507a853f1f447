import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What can be asked. */
export const params = {
  process: { type: 'text', default: null, label: 'Process', help: 'Part of the process name, or its id.' },
  thread: {
    type: 'text',
    default: null,
    label: 'Thread',
    help: 'A thread id, or part of the thread name. Without process and thread: that of the longest ready wait.',
  },
  rank: {
    type: 'number',
    default: null,
    min: 0,
    max: 2,
    label: 'With rank',
    help: 'Also estimates these threads with this rank.',
  },
  priority: {
    type: 'number',
    default: null,
    min: 1,
    max: 31,
    label: 'With priority',
    help: 'Also estimates these threads with this priority.',
  },
  more_cpus: {
    type: 'number',
    default: null,
    min: 1,
    max: 1024,
    label: 'More CPUs',
    help: 'Also estimates a machine with so many CPUs more.',
  },
  without: {
    type: 'text',
    default: null,
    label: 'Without',
    help: 'Also estimates a machine without the processes of this name or id.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type WhatIfParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'waits are not known', is_required: true },
    { signal: 'ready_threads', part_of: 'switches', without: 'when threads were ready is not known' },
    { signal: 'ranks', part_of: 'switches', without: 'the replay knows priorities alone' },
  ],
  gaps: 'the replay knows nothing of what ran there',
};
