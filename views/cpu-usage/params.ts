import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { choiceParam, numberParam, type ParamValues } from '../../shared/view/index.ts';

/** By what CPU time is grouped. */
export const GROUPINGS = ['process', 'thread', 'priority', 'rank-priority'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What can be asked of the CPU usage view. */
export const params = {
  by: choiceParam(
    'By',
    'What CPU time is stacked by. By priority or rank, what runs first is lowest.',
    GROUPINGS,
    { 'rank-priority': 'rank and priority' },
  ),
  top: numberParam('Groups', 'How many groups are drawn by themselves; the rest is one group, "other".', 12, {
    min: 1,
    max: 64,
  }),
  priority_min: numberParam(
    'Priority from',
    'Hides what ran at a lower priority: 13 shows what could have kept a thread of priority 12 from running.',
    null,
    { min: 0, max: 31 },
  ),
  priority_max: numberParam('Priority to', 'Hides what ran at a higher priority.', null, { min: 0, max: 31 }),
  rank: numberParam('Rank', 'Hides what ran at another rank, or at one that was not recorded.', null, {
    min: 0,
    max: 254,
  }),
};

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
