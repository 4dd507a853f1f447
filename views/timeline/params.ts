import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';
import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What can be asked of the timeline. */
export const params = {
  filter: {
    type: 'text',
    default: null,
    label: 'Filter',
    help: 'Only tracks with this in the name of their process, thread or CPU, or with this id.',
  },
  order: {
    type: 'choice',
    default: 'ready',
    choices: ['ready', 'cpu', 'wakes', 'first', 'name'],
    label: 'Order',
    help: 'By time ready, CPU time, wakes, first activity, or name. The longest, most or first come first.',
  },
  group: {
    type: 'choice',
    default: 'process',
    choices: ['process', 'none'],
    label: 'Threads',
    help: 'Under their processes, or all in one list.',
  },
  color: {
    type: 'choice',
    default: 'process',
    choices: ['process', 'priority', 'rank'],
    label: 'CPUs by',
    help: 'What the colours of CPUs stand for: whose threads ran, or at which priority or rank.',
  },
  lines: {
    type: 'choice',
    default: 'none',
    choices: ['none', 'rank', 'priority'],
    label: 'Lines',
    help: 'A line in the lane of each thread: its rank or its priority over time.',
  },
  events: {
    type: 'text',
    default: null,
    label: 'Events of',
    help: 'Providers whose generic events have a track, by a part of their names; commas part several.',
  },
  rows: {
    type: 'number',
    default: 40,
    min: 1,
    max: 1000,
    label: 'Rows',
    help: 'How many tracks a still picture shows. In the window all can be scrolled to.',
  },
  pinned: {
    type: 'text',
    chosen: true,
    default: null,
    label: 'Pinned',
    help: 'Tracks at the top, by name: c3 is CPU 3, p1234 the process and t5678 the thread of that id.',
  },
  open: {
    type: 'text',
    chosen: true,
    default: null,
    label: 'Open',
    help: 'Processes whose threads are shown, as p1234 p88; absent: the first one.',
  },
  tall: {
    type: 'text',
    chosen: true,
    default: null,
    label: 'Tall',
    help: 'Tracks that are three times as high, by name, as t5678 c3.',
  },
  order_from: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    unit: 'ns',
    label: 'Ordered from',
    help: 'Tracks are ordered by what they did from this time on, on the trace clock.',
  },
  order_to: {
    type: 'number',
    chosen: true,
    default: null,
    min: 0,
    unit: 'ns',
    label: 'Ordered to',
    help: 'The end of that time.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type TimelineParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'what ran is not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'why threads were blocked is not known',
    },
    { signal: 'ready_threads', without: 'when a blocked thread became ready is not known' },
    { signal: 'ranks', without: 'whether a rank made threads late is not known', part_of: 'switch_states' },
  ],
  uses: ['interrupts', 'affinities', 'freezes'],
  shows_alone: ['focus', 'input', 'freezes', 'sleeps', 'disk_io', 'interrupts', 'samples'],
  gaps: 'tracks are hatched where nothing is known',
};
