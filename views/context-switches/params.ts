import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { choiceParam, numberParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** By what context switches are counted. */
export const GROUPINGS = ['process', 'thread', 'cpu'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What can be asked of the context switches view. */
export const params = {
  by: choiceParam(
    'By',
    'What context switches are counted by. A switch belongs to the thread that is switched in.',
    GROUPINGS,
  ),
  process: textParam(
    'Process',
    'Counts only threads of processes whose name contains this, by process and by thread, and lists only their pairs.',
  ),
  top: numberParam(
    'Lines',
    'How many groups are drawn over time, those with most context switches first.',
    8,
    { min: 1, max: 32 },
  ),
};

/** Values for them. */
export type SwitchesParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'how often CPUs switched is not known', is_required: true },
    { signal: 'samples', without: 'kernel time is not known' },
  ],
  gaps: 'there were more context switches than these',
};
