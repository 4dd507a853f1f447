import type {
  CpuTime,
  GroupBy,
  GroupSummary,
  Meanwhile,
  MeanwhileSpan,
  RankPrioritySum,
  ReadyWait,
  ThreadSum,
  WaitSummary,
} from '../../shared/ready-waits/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { STANDINGS, WHY_LABELS, type Standing, type WhyShare } from '../../shared/why-late/index.ts';
import { column, columns, makeTable, type Column, type DurationBin } from '../kit/index.ts';
import type { ReadyLatencyModel, WhySum } from './model.ts';
import { PERCENTILE_BOUND } from './footnotes.ts';
import { STANDING_LABELS } from './model.ts';

const WAITED = { ...columns.tid, help: 'The id of the thread that waited.' };

const WAIT_COLUMNS: readonly Column<ReadyWait>[] = [
  { ...columns.process, help: 'The process of the thread that waited.' },
  WAITED,
  column(
    'ready_ns',
    'Ready',
    'duration_ns',
    'How long it was ready but did not run: ran at − ready at.',
    (wait) => wait.dur,
  ),
  column(
    'why_late',
    'Why late',
    'text',
    'The main reason, estimated from a few instants of the wait. Choose the wait to have all of it looked at. …: about to be judged. –: not among the 500 longest.',
    ({ why_late: why }) => (why === null ? null : why === 'pending' ? '…' : WHY_LABELS[why]),
  ),
  columns.rank,
  column(
    'recorded_ranks',
    'Recorded',
    'text',
    'The ranks at the ends of the runs before and after the wait, where these differ, or one above 0 is the only one. The rank is then the one of them that fits what ran meanwhile.',
    ({ recorded_ranks: ranks }) => (ranks === null ? '' : `${ranks.before ?? '?'} → ${ranks.after ?? '?'}`),
  ),
  column('priority', 'Priority', 'count', 'The priority with which it waited (0 to 31).'),
  column('base_priority', 'Base', 'count', 'The priority without boosts.'),
  column('cause', 'Cause', 'text', 'wake: readied after a wait. preempted: put aside while it ran.'),
  column(
    'ready_ts',
    'Ready at',
    'time_ns',
    'When it became ready: the last ready-thread event before it ran, or when it was preempted.',
    (wait) => wait.ts,
  ),
  column(
    'switch_in_ts',
    'Ran at',
    'time_ns',
    'When it was switched in. – : not before the trace ended.',
    (wait) => (wait.ended ? wait.ts + wait.dur : null),
  ),
  column(
    'waited_since_start',
    '',
    'text',
    '≥ : it had been blocked since before the trace started, longer than the next column tells.',
    (wait) => (wait.waited_since_start ? '≥' : ''),
  ),
  column(
    'waited_ns',
    'Waited before',
    'duration_ns',
    'How long it had been blocked before it was readied: ready at − last switch-out.',
  ),
  column('wait_reason', 'Wait reason', 'text', 'Why it had left the CPU before (KWAIT_REASON).'),
  column(
    'readied_by',
    'Readied by',
    'text',
    'The thread that readied it; or a DPC, in which case the thread below it is only who was interrupted.',
  ),
  column('boost', 'Boost', 'text', 'Priority increment that came with the wake.'),
  column('cpu', 'CPU', 'count', 'The CPU on which it then ran.'),
  columns.thread,
];

const BAR_COLUMNS: readonly Column<DurationBin>[] = [
  column(
    'from_ns',
    'From',
    'duration_ns',
    'The shortest wait counted here; the first row counts shorter ones too.',
  ),
  column('to_ns', 'To', 'duration_ns', 'Waits counted here are shorter than this.'),
  column('count', 'Waits', 'count', 'How many waits were this long.'),
];

const SUMMARY_COLUMNS: readonly Column<WaitSummary>[] = [
  column('count', 'Waits', 'count', 'How many ready waits.'),
  column('p50_ns', 'p50', 'duration_ns', 'Half of the waits were no longer (at most 2.3 % too high).'),
  column('p90_ns', 'p90', 'duration_ns', 'Nine of ten waits were no longer (at most 2.3 % too high).'),
  column('p99_ns', 'p99', 'duration_ns', '99 of 100 waits were no longer (at most 2.3 % too high).'),
  column('max_ns', 'Longest', 'duration_ns', 'The longest wait.'),
  column('above_p99_ns', 'Sum above p99', 'duration_ns', 'The waits that are longer than p99 together.'),
  column('sum_ns', 'Sum', 'duration_ns', 'All waits together; parallel waits count each.'),
];

const PROCESS_COLUMNS: readonly Column<GroupSummary>[] = [
  { ...columns.process, help: 'The process whose threads waited.' },
  columns.pid,
];

/** The columns that name a group. */
const GROUP_NAME_COLUMNS: Readonly<Record<GroupBy, readonly Column<GroupSummary>[]>> = {
  process: PROCESS_COLUMNS,
  thread: [...PROCESS_COLUMNS, WAITED],
  rank: [column('rank', 'Rank', 'count', 'The rank at which threads waited.')],
  priority: [column('priority', 'Priority', 'count', 'The priority at which threads waited.')],
};

const WHY_COLUMNS: readonly Column<WhySum>[] = [
  column(
    'why',
    'Why late',
    'text',
    'The main reason, estimated from a few instants of each wait.',
    (row) => WHY_LABELS[row.why],
  ),
  column('count', 'Waits', 'count', 'How many of the listed waits.'),
  column('sum_ns', 'Sum', 'duration_ns', 'Their lengths together.'),
];

const SHARE_COLUMNS: readonly Column<WhyShare & { readonly share: number }>[] = [
  column('why', 'Why late', 'text', 'What kept the thread from running.', (row) => WHY_LABELS[row.why]),
  column('ns', 'Length', 'duration_ns', 'For how long; the lengths sum to the wait.'),
  column('share', 'Share', 'share', 'Length / length of the wait.'),
];

/** What CPU time is called, in the order in which it is shown. */
const CPU_TIME_LABELS: Readonly<Record<CpuTime, string>> = {
  better_rank: 'ran threads that went first by rank alone',
  priority: 'ran threads that went first by priority',
  behind: 'ran threads that had to yield to it',
  idle: 'idle',
  interrupt: 'in DPCs and interrupts',
  elsewhere: 'on CPUs that it may not use',
  unknown: 'ran threads of lower priority, rank not recorded',
  not_recorded: 'not recorded',
};

interface CpuTimeRow {
  readonly label: string;
  readonly ns: number;
  readonly share: number;
}

const CPU_TIME_COLUMNS: readonly Column<CpuTimeRow>[] = [
  column('what', 'What the CPUs did', 'text', 'What the time went to.', ({ label }) => label),
  column('ns', 'CPU time', 'duration_ns', 'All CPUs together, during the wait.'),
  column('share', 'Share', 'share', 'CPU time / (length of the wait × CPUs).'),
];

const STANDING_HELP: Readonly<Record<Standing, string>> = {
  better_rank: 'CPU time at a better rank and a lower priority: rank alone put it first.',
  priority: 'CPU time at the same or a better rank and the same or a higher priority.',
  behind: 'CPU time at a worse rank, or at the same rank and a lower priority: neither put it first.',
  unknown: 'CPU time at a lower priority where one of the ranks was not recorded.',
  idle: 'CPU time without a thread to run.',
};

const GROUP_COLUMNS: readonly Column<RankPrioritySum>[] = [
  column('rank', 'Rank', 'count', 'The rank of the threads that ran. –: not recorded.'),
  column('priority', 'Priority', 'count', 'The priority at which they ran.'),
  column('ran_ns', 'CPU time', 'duration_ns', 'For how long they ran during the wait, all CPUs together.'),
  column(
    'standing',
    'Against the waiting thread',
    'text',
    'How they stand to the thread that waited.',
    (row) => STANDING_LABELS[row.standing],
  ),
];

const THREAD_COLUMNS: readonly Column<ThreadSum>[] = [
  { ...columns.process, help: 'The process that ran.' },
  { ...columns.tid, help: 'The thread that ran.' },
  columns.thread,
  column('ran_ns', 'CPU time', 'duration_ns', 'For how long it ran during the wait.'),
  column('runs', 'Runs', 'count', 'How often it was switched in, or ran on.'),
  ...STANDINGS.filter((standing) => standing !== 'idle').map((standing) =>
    column<ThreadSum>(
      `${standing}_ns`,
      STANDING_LABELS[standing],
      'duration_ns',
      STANDING_HELP[standing],
      (row) => row.by_standing[standing] || null,
    ),
  ),
];

const SPAN_COLUMNS: readonly Column<MeanwhileSpan>[] = [
  columns.cpu,
  column(
    'ts',
    'From',
    'time_ns',
    'When the run, or the step of time, began; or the wait, if that was later.',
  ),
  column('dur', 'Length', 'duration_ns', 'How long the run, or the step, was.'),
  column(
    'ran_ns',
    'CPU time',
    'duration_ns',
    'CPU time within it; less than its length for a sum of short runs.',
  ),
  column('thread', 'Thread', 'text', 'Who ran. –: several, in runs too short to draw one by one.'),
  column('rank', 'Rank', 'count', 'The rank at which it ran.'),
  column('priority', 'Priority', 'count', 'The priority at which it ran.'),
  column(
    'standing',
    'Against the waiting thread',
    'text',
    'How it stands to the thread that waited.',
    (span) => STANDING_LABELS[span.standing],
  ),
];

/** The longest waits. */
export function waitTable(model: ReadyLatencyModel): ViewTable {
  return makeTable('Longest ready waits', WAIT_COLUMNS, model.waits);
}

/** Counts and percentiles of each process, thread, rank or priority. */
export function groupTable(model: ReadyLatencyModel): ViewTable {
  const group_columns = [...GROUP_NAME_COLUMNS[model.group_by], ...SUMMARY_COLUMNS];
  return makeTable(`Ready waits by ${model.group_by} (${PERCENTILE_BOUND})`, group_columns, model.groups);
}

/** The verdict on the chosen wait. */
function verdictTable({ wait, verdict }: Meanwhile): ViewTable {
  const { one_in, shares } = verdict;
  const title = `Why late${one_in > 1 ? ` (estimated from one in ${one_in} parts of the wait)` : ''}`;
  return makeTable(
    title,
    SHARE_COLUMNS,
    shares.map((share) => ({ ...share, share: share.ns / wait.dur })),
  );
}

/** What the CPUs did during the chosen wait. */
function cpuTimeTable({ wait, cpu_count, verdict }: Meanwhile): ViewTable {
  const whole_ns = wait.dur * cpu_count;
  const times = Object.entries(CPU_TIME_LABELS) as [CpuTime, string][];
  const rows = times
    .map(([time, label]) => ({ label, ns: verdict.cpu_ns[time], share: verdict.cpu_ns[time] / whole_ns }))
    .filter(({ ns }) => ns > 0);
  return makeTable('What the CPUs did meanwhile', CPU_TIME_COLUMNS, rows);
}

/** CPU time during the chosen wait, by rank and priority. */
export function ranTable(meanwhile: Meanwhile): ViewTable {
  return makeTable('What ran meanwhile, by rank and priority', GROUP_COLUMNS, meanwhile.by_rank_and_priority);
}

/** CPU time during the chosen wait, by thread. */
export function threadTable(meanwhile: Meanwhile): ViewTable {
  return makeTable('Who ran meanwhile', THREAD_COLUMNS, meanwhile.by_thread);
}

/** Everything the view draws. */
export function readyLatencyTables(model: ReadyLatencyModel, detail: unknown = null): readonly ViewTable[] {
  const meanwhile = detail as Meanwhile | null;
  return [
    waitTable(model),
    ...(meanwhile === null
      ? []
      : [
          verdictTable(meanwhile),
          cpuTimeTable(meanwhile),
          ranTable(meanwhile),
          threadTable(meanwhile),
          makeTable('Runs on each CPU meanwhile', SPAN_COLUMNS, meanwhile.spans),
        ]),
    makeTable('Listed ready waits by main reason', WHY_COLUMNS, model.by_why),
    makeTable(`All ready waits (${PERCENTILE_BOUND})`, SUMMARY_COLUMNS, [model.total]),
    groupTable(model),
    makeTable('Ready waits by length', BAR_COLUMNS, model.histogram),
  ];
}
