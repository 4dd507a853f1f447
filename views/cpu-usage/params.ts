import type { RecordingNeeds } from '../../shared/recording/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** By what CPU time is grouped. */
export const GROUPINGS = ['process', 'thread', 'priority', 'rank-priority'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What can be asked of the CPU usage view. */
export const params = {
  by: {
    type: 'choice',
    default: 'process',
    choices: GROUPINGS,
    titles: { 'rank-priority': 'rank and priority' },
    label: 'By',
    help: 'What CPU time is stacked by. By priority or rank, what runs first is lowest.',
  },
  top: {
    type: 'number',
    default: 12,
    min: 1,
    max: 64,
    label: 'Groups',
    help: 'How many groups are drawn by themselves; the rest is one group, "other".',
  },
  priority_min: {
    type: 'number',
    default: null,
    min: 0,
    max: 31,
    label: 'Priority from',
    help: 'Hides what ran at a lower priority: 13 shows what could have kept a thread of priority 12 from running.',
  },
  priority_max: {
    type: 'number',
    default: null,
    min: 0,
    max: 31,
    label: 'Priority to',
    help: 'Hides what ran at a higher priority.',
  },
  rank: {
    type: 'number',
    default: null,
    min: 0,
    max: 254,
    label: 'Rank',
    help: 'Hides what ran at another rank, or at one that was not recorded.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type CpuUsageParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'who ran is not known', is_required: true },
    { signal: 'ranks', without: 'ranks are not shown' },
  ],
  uses: ['counters'],
  gaps: 'what ran there is hatched, or with the wrong thread where the CPU is not known',
};
