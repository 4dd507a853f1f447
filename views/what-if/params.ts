import { WORST_RANK } from '../../shared/causes/index.ts';
import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { numberParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked. */
export const params = {
  process: textParam('Process', 'Part of the process name, or its id.'),
  thread: textParam(
    'Thread',
    'A thread id, or part of the thread name. Without process and thread: that of the longest ready wait.',
  ),
  rank: numberParam('With rank', 'Also estimates these threads with this rank.', null, {
    min: 0,
    max: WORST_RANK,
  }),
  priority: numberParam('With priority', 'Also estimates these threads with this priority.', null, {
    min: 1,
    max: 31,
  }),
  more_cpus: numberParam('More CPUs', 'Also estimates a machine with so many CPUs more.', null, {
    min: 1,
    max: 1024,
  }),
  without: textParam('Without', 'Also estimates a machine without the processes of this name or id.'),
};

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
