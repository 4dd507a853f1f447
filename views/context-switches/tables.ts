import type { ViewTable } from '../../shared/view/index.ts';
import { bucketColumn, bucketTable, column, columns, makeTable, type Column } from '../kit/index.ts';
import type { Pairs, SwitchesModel, SwitchGroup, SwitchPair } from './model.ts';
import type { Grouping } from './params.ts';
import { ratesOf } from './summary.ts';

const PROCESS = [columns.process, columns.pid] as const;

const GROUP_COLUMNS: Readonly<Record<Grouping, readonly Column<SwitchGroup>[]>> = {
  process: PROCESS,
  thread: [...PROCESS, columns.tid, columns.thread],
  cpu: [column('cpu', 'CPU', 'text', 'The CPU.', ({ cpu }) => (cpu === null ? null : String(cpu)))],
};

const COUNT_COLUMNS: readonly Column<SwitchGroup>[] = [
  column(
    'switches',
    'Switches',
    'count',
    'Context switches to it; of a CPU, to any thread, the idle thread too.',
  ),
  column('per_s', 'Per second', 'count', 'Switches / length of the range.'),
  column('share', 'Share', 'share', 'Switches / all switches of the range, those to the idle thread too.'),
];

const RUN = column('run_ns', 'Mean run', 'duration_ns', 'CPU time / switches: how long it ran each time.');

const KERNEL = column(
  'kernel',
  'In the kernel',
  'share',
  'Part of its samples in the kernel, DPCs and ISRs included. –: no samples.',
);

const PAIR_COLUMNS: readonly Column<SwitchPair>[] = [
  column('a', 'Thread', 'text', 'One thread of the pair.', ({ a }) => a.label),
  column('b', 'Other thread', 'text', 'The other one.', ({ b }) => b.label),
  column(
    'per_s',
    'Per second',
    'count',
    'Wakes or switches between the two, both ways, whichever are more, per second.',
  ),
  column('wakes_there', 'Wakes →', 'count', 'How often the first made the other ready.'),
  column(
    'wakes_back',
    'Wakes ←',
    'count',
    'How often the other made the first ready. As many both ways: they hand something to and fro.',
  ),
  column(
    'switches_there',
    'Switches →',
    'count',
    'Context switches from the first to the other, with no thread between them on the CPU.',
  ),
  column('switches_back', 'Switches ←', 'count', 'Context switches from the other to the first, likewise.'),
];

/** Context switches of each group. */
export function groupTable({ by, groups }: SwitchesModel): ViewTable {
  const name = { process: 'process', thread: 'thread', cpu: 'CPU' }[by];
  const run = by === 'cpu' ? [] : [RUN];
  return makeTable(
    `Context switches by ${name}`,
    [...GROUP_COLUMNS[by], ...COUNT_COLUMNS, ...run, KERNEL],
    groups,
  );
}

/** Who takes turns with whom. */
export function pairTable({ pairs }: Pairs): ViewTable {
  return makeTable('Pairs of threads', PAIR_COLUMNS, pairs);
}

/** One row a bucket. */
function rateTable({ edges, switches, to_idle, series }: SwitchesModel): ViewTable {
  const rate = (name: string, title: string, help: string, counts: readonly number[]) =>
    bucketColumn(`${name}per_s`, title, 'count', help, ratesOf(edges, counts));
  return bucketTable('Context switches per second over time', edges, [
    rate('', 'Per second', 'Context switches per second, all CPUs together.', switches),
    rate('to_idle_', 'To idle', 'Those to the idle thread, per second.', to_idle),
    ...series.map((line, at) => rate(`series_${at}_`, line.label, 'Those to it, per second.', line.switches)),
  ]);
}

/** Everything the view draws. */
export function switchesTables(model: SwitchesModel): readonly ViewTable[] {
  const pairs = model.pairs === null ? [] : [pairTable(model.pairs)];
  return [groupTable(model), ...pairs, rateTable(model)];
}
