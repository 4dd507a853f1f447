import type { ViewTable } from '../../shared/view/index.ts';
import {
  bucketColumn,
  bucketTable,
  column,
  columns,
  countedColumns,
  makeTable,
  type Column,
} from '../kit/index.ts';
import type { CpuGroup, CpuTotals, CpuUsageModel, RankPriorityUsage } from './model.ts';
import type { Grouping } from './params.ts';

const SHARE_HELP =
  'CPU time as a part of what all CPUs could have run: CPU time / (CPUs × length of the range).';

const PROCESS = [columns.process, columns.pid] as const;

const PRIORITY = column(
  'priority',
  'Priority',
  'count',
  'The priority at the switch-in, boosts included (0 to 31).',
);

const RANK = column(
  'rank',
  'Rank',
  'count',
  'The rank that Windows recorded when the run ended. –: not recorded.',
);

const GROUP_COLUMNS: Readonly<Record<Grouping, readonly Column<CpuGroup>[]>> = {
  process: PROCESS,
  thread: [...PROCESS, columns.tid],
  priority: [PRIORITY],
  'rank-priority': [RANK, PRIORITY],
};

const GROUP_NAMES: Readonly<Record<Grouping, string>> = {
  process: 'process',
  thread: 'thread',
  priority: 'priority',
  'rank-priority': 'rank and priority',
};

function timeColumns<T extends { readonly ran_ns: number; readonly share: number }>(): readonly Column<T>[] {
  return [
    column('ran_ns', 'CPU time', 'duration_ns', 'How long it ran, all CPUs together.'),
    column('share', 'Share', 'share', SHARE_HELP),
  ];
}

const RANK_PRIORITY_COLUMNS: readonly Column<RankPriorityUsage>[] = [
  column('rank', 'Rank', 'count', RANK.help),
  column('priority', 'Priority', 'count', PRIORITY.help),
  ...timeColumns<RankPriorityUsage>(),
];

const TOTAL_COLUMNS: readonly Column<readonly [string, number, number]>[] = [
  column('what', 'What', 'text', 'Where the time of the CPUs went.', ([what]) => what),
  column('ran_ns', 'CPU time', 'duration_ns', 'All CPUs together.', ([, ran_ns]) => ran_ns),
  column('share', 'Share', 'share', SHARE_HELP, ([, , share]) => share),
];

/** CPU time of each group. */
export function groupTable(model: CpuUsageModel): ViewTable {
  const name = model.by === 'thread' ? [columns.thread] : [];
  return makeTable<CpuGroup>(
    `CPU time by ${GROUP_NAMES[model.by]}`,
    [...GROUP_COLUMNS[model.by], ...timeColumns<CpuGroup>(), ...countedColumns(model.counters), ...name],
    model.groups,
  );
}

/** CPU time of each rank and priority. */
export function rankPriorityTable(model: CpuUsageModel): ViewTable {
  return makeTable('CPU time by rank and priority', RANK_PRIORITY_COLUMNS, model.by_rank_and_priority);
}

function totalTable({ capacity_ns, ...parts }: CpuTotals): ViewTable {
  const rows: readonly (readonly [string, number])[] = [
    ['ran, shown', parts.shown_ns],
    ['ran, hidden ranks and priorities', parts.hidden_ns],
    ['idle', parts.idle_ns],
    ['not recorded', parts.unknown_ns],
    ['all CPUs', capacity_ns],
  ];
  return makeTable(
    'Where the time of all CPUs went',
    TOTAL_COLUMNS,
    rows.map(([what, ns]) => [what, ns, capacity_ns === 0 ? 0 : ns / capacity_ns]),
  );
}

/** One row a bucket: how long each area of the picture ran in it. */
function timesTable({ edges, series, hidden_ns, idle_ns, unknown_ns }: CpuUsageModel): ViewTable {
  const lengths_ns = idle_ns.map((_, bucket) => (edges[bucket + 1] ?? 0) - (edges[bucket] ?? 0));
  const parts = [
    ...series,
    { label: 'hidden', ran_ns: hidden_ns },
    { label: 'idle', ran_ns: idle_ns },
    { label: 'not recorded', ran_ns: unknown_ns },
  ];
  const help = 'CPU time within it, all CPUs together.';
  return bucketTable('CPU time over time', edges, [
    bucketColumn('dur', 'Length', 'duration_ns', 'How long it is.', lengths_ns),
    ...parts.map(({ label, ran_ns }, index) =>
      bucketColumn(`part_${index}_ns`, label, 'duration_ns', help, ran_ns),
    ),
  ]);
}

/** Everything the view draws. */
export function cpuUsageTables(model: CpuUsageModel): readonly ViewTable[] {
  const groups = model.by === 'rank-priority' ? [] : [groupTable(model)];
  return [...groups, rankPriorityTable(model), totalTable(model.totals), timesTable(model)];
}
