import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';
import { WHY_LABELS, WHYS, type MainWhy } from '../../shared/why-late/index.ts';

/** The reasons that a wait can have as its main one. */
const MAIN_WHYS = WHYS.filter((why): why is MainWhy => why !== 'not_recorded');

/** What can be asked of the ready latency view. */
export const params = {
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Part of the process name.',
  },
  thread: {
    type: 'text',
    default: null,
    label: 'Thread',
    help: 'A thread id, or part of the thread name.',
  },
  at_least_ms: {
    type: 'number',
    default: 0,
    min: 0,
    unit: 'ms',
    label: 'At least',
    help: 'Shortest wait that is listed. Percentiles count all.',
  },
  cause: {
    type: 'choice',
    default: 'any',
    choices: ['any', 'wake', 'preempted'],
    label: 'Cause',
    help: 'Readied after a wait (wake), or put aside while running (preempted).',
  },
  ranked_only: {
    type: 'flag',
    default: false,
    label: 'Rank above 0',
    help: 'Only waits of threads with a rank above 0.',
  },
  rank: {
    type: 'number',
    default: null,
    min: 0,
    label: 'Rank',
    help: 'Only waits at this rank.',
  },
  priority: {
    type: 'number',
    default: null,
    min: 0,
    max: 31,
    label: 'Priority',
    help: 'Only waits at this priority.',
  },
  wait_reason: {
    type: 'text',
    default: null,
    label: 'Wait reason',
    help: 'Part of a wait reason, such as UserRequest or WrPreempted: of the 10,000 longest waits that pass the filters before, lists those of threads that had left their CPU for it. Percentiles count all.',
  },
  why: {
    type: 'choice',
    default: 'any',
    choices: ['any', ...MAIN_WHYS],
    titles: WHY_LABELS,
    label: 'Why late',
    help: 'Of the 500 longest waits that pass the other filters, lists those with this main reason. Percentiles count all.',
  },
  group_by: {
    type: 'choice',
    default: 'process',
    choices: ['process', 'thread', 'rank', 'priority'],
    label: 'Group by',
    help: 'What percentiles are given for.',
  },
  limit: {
    type: 'number',
    default: 500,
    min: 1,
    max: 100_000,
    label: 'Rows',
    help: 'How many of the longest waits are listed.',
  },
  wait_ts: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    unit: 'ns',
    label: 'Chosen wait',
    help: 'When the chosen wait began, on the trace clock.',
  },
  wait_tid: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    label: 'Chosen thread',
    help: 'The id of the thread whose wait is chosen.',
  },
} as const satisfies ParamSpecs;

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
