import type { RecordingNeeds } from '../../shared/recording/index.ts';
import {
  choiceParam,
  flagParam,
  numberParam,
  rowsParam,
  textParam,
  type ParamValues,
} from '../../shared/view/index.ts';
import { WHY_LABELS, WHYS, type MainWhy } from '../../shared/why-late/index.ts';

/** The reasons that a wait can have as its main one. */
const MAIN_WHYS = WHYS.filter((why): why is MainWhy => why !== 'not_recorded');

/** What can be asked of the ready latency view. */
export const params = {
  process: textParam('Process', 'Part of the process name.'),
  thread: textParam('Thread', 'A thread id, or part of the thread name.'),
  at_least_ms: numberParam('At least', 'Shortest wait that is listed. Percentiles count all.', 0, {
    min: 0,
    unit: 'ms',
  }),
  cause: choiceParam('Cause', 'Readied after a wait (wake), or put aside while running (preempted).', [
    'any',
    'wake',
    'preempted',
  ]),
  ranked_only: flagParam('Rank above 0', 'Only waits of threads with a rank above 0.'),
  rank: numberParam('Rank', 'Only waits at this rank.', null, { min: 0 }),
  priority: numberParam('Priority', 'Only waits at this priority.', null, { min: 0, max: 31 }),
  wait_reason: textParam(
    'Wait reason',
    'Part of a wait reason, such as UserRequest or WrPreempted: lists waits of threads that had left their CPU for it. Looks at the 10,000 longest waits that pass the filters before, or at as many as Rows says if that is more. Percentiles count all.',
  ),
  why: choiceParam(
    'Why late',
    'Of the 500 longest waits that pass the other filters, lists those with this main reason. Percentiles count all.',
    ['any', ...MAIN_WHYS],
    WHY_LABELS,
  ),
  group_by: choiceParam('Group by', 'What percentiles are given for.', [
    'process',
    'thread',
    'rank',
    'priority',
  ]),
  limit: rowsParam('How many of the longest waits are listed.', 500, 100_000),
  wait_ts: numberParam('Chosen wait', 'When the chosen wait began, on the trace clock.', null, {
    min: 0,
    unit: 'ns',
    chosen: true,
  }),
  wait_tid: numberParam('Chosen thread', 'The id of the thread whose wait is chosen.', null, {
    min: 0,
    chosen: true,
  }),
};

/** Values for them. */
export type ReadyLatencyParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'waits are not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'waits of preempted threads are not known',
    },
    { signal: 'ready_threads', without: 'when a waiting thread became ready is not known' },
    { signal: 'ranks', without: 'ranks are not shown', part_of: 'switch_states' },
  ],
  uses: ['interrupts', 'affinities', 'freezes'],
  gaps: 'waits and runs there may be missing, too long, or joined from two',
};
