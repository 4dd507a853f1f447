import { choiceParam, numberParam, rowsParam, textParam, type ParamValues } from '../../shared/view/index.ts';
import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What can be asked of the timeline. */
export const params = {
  filter: textParam(
    'Filter',
    'Only tracks with this in the name of their process, thread or CPU, or with this id.',
  ),
  order: choiceParam(
    'Order',
    'By time ready, CPU time, wakes, first activity, or name. The longest, most or first come first.',
    ['ready', 'cpu', 'wakes', 'first', 'name'],
  ),
  group: choiceParam('Threads', 'Under their processes, or all in one list.', ['process', 'none']),
  color: choiceParam(
    'CPUs by',
    'What the colours of CPUs stand for: whose threads ran, or at which priority or rank.',
    ['process', 'priority', 'rank'],
  ),
  lines: choiceParam('Lines', 'A line in the lane of each thread: its rank or its priority over time.', [
    'none',
    'rank',
    'priority',
  ]),
  events: textParam(
    'Events of',
    'Providers whose generic events have a track, by a part of their names; commas part several.',
  ),
  rows: rowsParam('How many tracks a still picture shows. In the window all can be scrolled to.', 40, 1000),
  pinned: textParam(
    'Pinned',
    'Tracks at the top, by name: c3 is CPU 3, p1234 the process and t5678 the thread of that id.',
    { chosen: true },
  ),
  open: textParam('Open', 'Processes whose threads are shown, as p1234 p88; absent: the first one.', {
    chosen: true,
  }),
  tall: textParam('Tall', 'Tracks that are three times as high, by name, as t5678 c3.', { chosen: true }),
  order_from: numberParam(
    'Ordered from',
    'Tracks are ordered by what they did from this time on, on the trace clock.',
    null,
    { min: 0, unit: 'ns', chosen: true },
  ),
  order_to: numberParam('Ordered to', 'The end of that time.', null, { min: 0, unit: 'ns', chosen: true }),
};

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
