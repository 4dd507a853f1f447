import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { FRAMES } from '../../shared/samples/index.ts';
import { choiceParam, rowsParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of blocked time. */
export const params = {
  by: choiceParam(
    'By',
    'What the picture tells apart: wait reasons, wakers, the stacks where threads waited, or the stacks that woke them.',
    ['reason', 'waker', 'wait-stack', 'ready-stack'],
    { reason: 'wait reason', 'wait-stack': 'wait stack', 'ready-stack': 'readying stack' },
  ),
  process: textParam('Process', 'Part of the process name, or its id.'),
  thread: textParam('Thread', 'Part of the thread name, or its id.'),
  work: choiceParam(
    'Waits for work',
    'Whether waits for work count (WrQueue, WrLpcReceive): such threads have nothing to do.',
    ['left out', 'counted'],
  ),
  frames: choiceParam('Frames', 'What frames of stacks are told apart by.', FRAMES),
  limit: rowsParam('How many, the longest.', 100, 10_000),
};

/** Values for them. */
export type BlockedTimeParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'who was blocked is not known', is_required: true },
    { signal: 'switch_states', part_of: 'switches', without: 'wait reasons are not known' },
    { signal: 'ready_threads', without: 'who ended a block is not known' },
  ],
  gaps: 'a thread may have run there',
};

/** Where stacks come from: that of an event at the switch-in after a block, or at its end; and what is shown where there are none. */
export const STACKS = {
  'wait-stack': {
    title: 'Blocked time by wait stack',
    event: 'context_switch',
    at: 'in_ts',
    otherwise: 'reason',
    need: { signal: 'switch_stacks', without: 'the picture tells wait reasons in place of wait stacks' },
  },
  'ready-stack': {
    title: 'Blocked time by readying stack',
    event: 'ready_thread',
    at: 'te',
    otherwise: 'waker',
    need: { signal: 'ready_stacks', without: 'the picture tells wakers in place of readying stacks' },
  },
} as const;
