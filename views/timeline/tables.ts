import type { ViewTable } from '../../shared/view/index.ts';
import { THREAD_CLASSES } from './classes.ts';
import type { TimelineModel } from './model.ts';

/** The tracks with their sums, and how long all threads were in each state. */
export function timelineTables({ tracks, class_ns }: TimelineModel): readonly ViewTable[] {
  const alive_ns = class_ns.reduce((sum, ns, of) => sum + (of === 0 ? 0 : ns), 0);
  return [
    {
      title: 'Tracks',
      columns: [
        { name: 'track', title: 'Track', help: 'A CPU, a process or a thread.', kind: 'text' },
        { name: 'process', title: 'Process', help: 'The process that it is of.', kind: 'text' },
        {
          name: 'ids',
          title: 'Ids',
          help: 'Its id; of a process also how many threads did anything.',
          kind: 'text',
        },
        {
          ...{ name: 'first_ts', title: 'First', kind: 'time_ns' },
          help: 'When it first ran or was ready.',
        },
        {
          ...{ name: 'running_ns', title: 'Running', kind: 'duration_ns' },
          help: 'How long it ran; of a CPU how long it was busy; of a process the sum of its threads.',
        },
        {
          ...{ name: 'ready_ns', title: 'Ready', kind: 'duration_ns' },
          help: 'How long it could have run and did not.',
        },
        {
          ...{ name: 'blocked_ns', title: 'Blocked or idle', kind: 'duration_ns' },
          help: 'How long it waited for something else than a CPU; of a CPU how long it was idle.',
        },
        {
          ...{ name: 'runs', title: 'Runs', kind: 'count' },
          help: 'How often it was switched in, in the whole recording.',
        },
        {
          ...{ name: 'wakes', title: 'Wakes', kind: 'count' },
          help: 'How often it was woken, in the whole recording.',
        },
      ],
      rows: tracks
        .filter(({ kind }) => kind === 'cpu' || kind === 'process' || kind === 'thread')
        .map(({ kind, label, aside, process, first_ts, sums }) => [
          label,
          process,
          aside,
          first_ts,
          sums.running_ns,
          kind === 'cpu' ? null : sums.ready_ns,
          sums.blocked_ns,
          kind === 'cpu' ? null : sums.runs,
          kind === 'cpu' ? null : sums.wakes,
        ]),
    },
    {
      title: 'States of all threads',
      columns: [
        {
          ...{ name: 'state', title: 'State', kind: 'text' },
          help: 'What threads did; of ready threads why they were late, where that was judged.',
        },
        { name: 'ns', title: 'Time', help: 'How long, summed over all threads.', kind: 'duration_ns' },
        { name: 'share', title: 'Share', help: 'Of the time that threads were alive.', kind: 'share' },
      ],
      rows: THREAD_CLASSES.flatMap(({ label }, of) => {
        const ns = class_ns[of] ?? 0;
        return of === 0 || ns === 0 ? [] : [[label, ns, ns / alive_ns]];
      }),
    },
  ];
}
