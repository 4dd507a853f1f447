import type { ViewTable } from '../../shared/view/index.ts';
import { column, countedColumns, makeTable } from '../kit/index.ts';
import type { RunawayModel, ThreadTime } from './model.ts';

/** CPU time of threads. */
export function threadTable({ threads, counters }: RunawayModel): ViewTable {
  return makeTable<ThreadTime>(
    'CPU time since the trace’s start',
    [
      column('thread', 'Thread', 'text', 'The thread.', ({ label }) => label),
      column('ran_ns', 'CPU time', 'duration_ns', 'How long it ran since the start.'),
      ...countedColumns(counters),
      column('samples', 'Samples', 'count', 'Samples of it, without DPCs and ISRs.'),
      column('user', 'User', 'share', 'Part of its samples in user mode.'),
      column('kernel', 'Kernel', 'share', 'Part of its samples in the kernel.'),
      column(
        'stack_share',
        'Same stack',
        'share',
        'Part of its samples that have the stack that recurs most.',
        ({ stack, samples }) => (stack === null ? null : stack.samples / samples),
      ),
      column(
        'stack',
        'Stack that recurs most',
        'text',
        'Its frames, the innermost first.',
        ({ stack }) => stack?.frames.join(' ← ') ?? null,
      ),
    ],
    threads,
  );
}

/** Everything the view draws. */
export function runawayTables(model: RunawayModel): readonly ViewTable[] {
  const points = model.lines.flatMap(({ label, ts, ran_ns }) =>
    ts.map((at, index) => ({ label, at, ran_ns: ran_ns[index] ?? 0 })),
  );
  return [
    threadTable(model),
    makeTable<(typeof points)[number]>(
      'CPU time over time',
      [
        column('thread', 'Thread', 'text', 'The thread.', ({ label }) => label),
        column('ts', 'Until', 'time_ns', 'Up to when.', ({ at }) => at),
        column('ran_ns', 'CPU time', 'duration_ns', 'How long it had run by then.'),
      ],
      points,
    ),
  ];
}
