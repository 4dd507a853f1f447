import { formatCpuTime, formatDuration } from '../model/index.ts';
import { threadLabel, type OwnedThread } from '../threads/index.ts';
import type { LaneSpan, RanSum } from '../why-late/columns/index.ts';
import type { Standing } from '../why-late/index.ts';
import type { ReadyWait } from './ready-wait.ts';
import type { Verdict } from './verdict.ts';

/** A run, or the short runs of one standing in a step of time, on one CPU. */
export interface MeanwhileSpan extends Omit<LaneSpan, 'run'> {
  /** `LockApp.exe (tid 5128)`, or `idle`; null for a sum of short runs. */
  readonly thread: string | null;
  readonly rank: number | null;
  readonly priority: number | null;
}

/** CPU time of one thread at one rank and priority while the chosen thread waited. */
export interface NamedRanSum extends RanSum, OwnedThread {}

/** CPU time of the runs with one rank and priority. */
export type RankPrioritySum = Pick<NamedRanSum, 'rank' | 'priority' | 'standing' | 'ran_ns'>;

/** CPU time of one thread during the wait. */
export interface ThreadSum extends Omit<NamedRanSum, 'utid' | 'rank' | 'priority' | 'standing'> {
  /** The CPU time of the thread's runs by how they stand. */
  readonly by_standing: Readonly<Record<Standing, number>>;
}

/** What ran while the chosen thread waited. */
export interface Meanwhile {
  readonly wait: ReadyWait;
  readonly cpu_count: number;
  /** CPU time by how the runs stand, all CPUs together. What is missing to the wait times the CPUs was not recorded. */
  readonly by_standing: Readonly<Record<Standing, number>>;
  readonly by_rank_and_priority: readonly RankPrioritySum[];
  /** Most CPU time first. */
  readonly by_thread: readonly ThreadSum[];
  readonly spans: readonly MeanwhileSpan[];
  readonly verdict: Verdict;
  /** The answer in words, the verdict's sentence among them. */
  readonly sentences: readonly string[];
}

/** What ran during `wait` on `cpu_count` CPUs, summed up and put in words. */
export function describeMeanwhile(
  wait: ReadyWait,
  cpu_count: number,
  sums: readonly NamedRanSum[],
  spans: readonly MeanwhileSpan[],
  verdict: Verdict,
): Meanwhile {
  const by_standing = sumByStanding(sums);
  const busy = sums.filter(({ standing }) => standing !== 'idle');
  const facts = {
    wait,
    cpu_count,
    by_standing,
    by_rank_and_priority: sumByRankAndPriority(busy),
    by_thread: sumByThread(busy),
  };
  return { ...facts, spans, verdict, sentences: sentences(facts, verdict) };
}

function sumByStanding(sums: readonly NamedRanSum[]): Record<Standing, number> {
  const total: Record<Standing, number> = { better_rank: 0, priority: 0, behind: 0, unknown: 0, idle: 0 };
  for (const { standing, ran_ns } of sums) total[standing] += ran_ns;
  return total;
}

function sumByRankAndPriority(sums: readonly NamedRanSum[]): RankPrioritySum[] {
  const groups = new Map<string, RankPrioritySum>();
  for (const { rank, priority, standing, ran_ns } of sums) {
    const key = `${rank} ${priority}`;
    const before = groups.get(key)?.ran_ns ?? 0;
    groups.set(key, { rank, priority, standing, ran_ns: before + ran_ns });
  }
  const last = Number.MAX_SAFE_INTEGER;
  return [...groups.values()].sort((a, b) => (a.rank ?? last) - (b.rank ?? last) || b.priority - a.priority);
}

function sumByThread(sums: readonly NamedRanSum[]): ThreadSum[] {
  const groups = new Map<number, NamedRanSum[]>();
  for (const sum of sums) {
    const group = groups.get(sum.utid);
    if (group === undefined) groups.set(sum.utid, [sum]);
    else group.push(sum);
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { process, service, pid, thread, tid } = first;
      const ran_ns = group.reduce((total, sum) => total + sum.ran_ns, 0);
      const runs = group.reduce((total, sum) => total + sum.runs, 0);
      return [{ process, service, pid, thread, tid, ran_ns, runs, by_standing: sumByStanding(group) }];
    })
    .sort((a, b) => b.ran_ns - a.ran_ns);
}

/** The answer in plain words: how long, why, and what ran instead. */
function sentences(facts: Omit<Meanwhile, 'spans' | 'sentences' | 'verdict'>, verdict: Verdict): string[] {
  const { wait, cpu_count, by_rank_and_priority: groups } = facts;
  const { better_rank, priority, behind, unknown } = facts.by_standing;
  const whole_ns = wait.dur * cpu_count;
  const told = [
    `${threadLabel(wait)} was ready for ${formatDuration(wait.dur)}${
      wait.ended ? '' : ' and had not run when the trace ended'
    }, at priority ${wait.priority ?? 'not recorded'}, rank ${wait.rank ?? 'not recorded'}.`,
    ...rankSentence(wait),
    verdict.sentence,
  ];
  const cpus = cpu_count === 1 ? 'the one CPU' : `the ${cpu_count} CPUs`;
  if (better_rank > 0) {
    const ahead = groups.filter(({ rank }) => rank !== null && wait.rank !== null && rank < wait.rank);
    const ahead_ns = ahead.reduce((total, { ran_ns }) => total + ran_ns, 0);
    const ranks = listed(ahead.map(({ rank }) => rank));
    const lower = listed(
      ahead.flatMap((group) => (group.standing === 'better_rank' ? [group.priority] : [])),
    );
    const part = better_rank === ahead_ns ? 'all' : formatCpuTime(better_rank);
    told.push(
      `Meanwhile ${cpus} ran rank ${ranks} threads for ${formatCpuTime(ahead_ns)} of CPU time, ${part} of it at priority ${lower}, below ${wait.priority}: those went first by rank alone.`,
    );
  } else if (priority > 0) {
    told.push(
      `Meanwhile ${cpus} ran threads that priority put first for ${formatCpuTime(priority)} of CPU time.`,
    );
  }
  if (unknown > 0) {
    told.push(`Threads of lower priority, ranks not recorded, ran for ${formatCpuTime(unknown)}.`);
  }
  if (behind > 0) {
    told.push(`Threads that had to yield to it ran for ${formatCpuTime(behind)}.`);
  }
  const { idle, interrupt } = verdict.cpu_ns;
  if (interrupt > whole_ns * 0.001) {
    told.push(`DPCs and interrupts took ${formatCpuTime(interrupt)} of CPU time.`);
  }
  if (idle > whole_ns * 0.001) {
    told.push(`CPUs were idle for ${formatCpuTime(idle)} of the ${formatCpuTime(whole_ns)} there were.`);
  }
  return told;
}

/** Where the rank of a wait comes from, if more than one place tells. */
function rankSentence({ rank, recorded_ranks }: ReadyWait): string[] {
  if (rank === null || recorded_ranks === null) return [];
  const { before, after, explained_ns } = recorded_ranks;
  if (before === null) return [`That rank was recorded after the wait; none was before it.`];
  if (after === null) return [`That rank was recorded before the wait; none was after it.`];
  const recorded = `Rank ${before} was recorded before the wait, rank ${after} at the end of the run after it.`;
  if (explained_ns === null) return [`${recorded} What ran meanwhile was not looked at.`];
  const explains = (ns: number) => (ns === 0 ? 'none of the wait' : formatDuration(ns));
  return [
    `${recorded} What ran meanwhile explains ${explains(explained_ns.before)} at rank ${before}, and ${explains(explained_ns.after)} at rank ${after}: it is taken to have waited at rank ${rank}.`,
  ];
}

/** Distinct numbers as `0`, or `4 to 10`. */
function listed(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  return low === high ? String(low) : `${low} to ${high}`;
}
