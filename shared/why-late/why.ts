import type { Standing } from './standing.ts';

/**
 * What kept a thread from running at an instant:
 * `rank`: all CPUs ran threads that went first, at least one of them by rank alone, its priority being lower;
 * `priority`: all CPUs ran threads of the same or a higher priority, and no worse rank;
 * `swapped_out`: a CPU was free for it, and its kernel stack or process was swapped out when it was readied;
 * `idle_wake_up`: the idle CPU that took it was waking up;
 * `preemption_delay`: the CPU that took it was about to put aside a thread that had to yield;
 * `not_explained`: a CPU was free for it, and none of this is why it did not run there;
 * `not_recorded`: what ran on some CPU is not known, or how it stands to the thread.
 */
export type Why =
  | 'rank'
  | 'priority'
  | 'swapped_out'
  | 'idle_wake_up'
  | 'preemption_delay'
  | 'not_explained'
  | 'not_recorded';

/** The one reason that is named for a wait. */
export type MainWhy = Exclude<Why, 'not_recorded'>;

/** A part of a wait, and what kept the thread from running in it. */
export interface WhyShare {
  readonly why: Why;
  readonly ns: number;
}

/** Parts of a wait by what the CPUs did, in ns. `free`: at least one CPU was idle or ran what had to yield. */
export interface WaitParts {
  readonly rank: number;
  readonly priority: number;
  readonly free: number;
  readonly not_recorded: number;
}

/** What decides why a CPU that was free for a thread did not run it. */
export interface FreeFacts {
  /** Of the time with a free CPU: the last stretch of it, in ns, if that ends with the switch-in; else 0. */
  readonly final_ns: number;
  /** True if its kernel stack or its process was swapped out when it was readied. */
  readonly swapped_out: boolean;
  /** True if the CPU that took it was idle until then. */
  readonly took_idle_cpu: boolean;
}

/** Longest that an idle CPU takes to wake up and run a thread, in ns; longer is not explained. */
export const IDLE_WAKE_UP_MAX_NS = 1_000_000;
/** Longest that a CPU takes to put a running thread aside for one that goes first, in ns; longer is not explained. */
export const PREEMPTION_DELAY_MAX_NS = 100_000;

/** All reasons, in the order in which they are shown. */
export const WHYS: readonly Why[] = [
  'rank',
  'priority',
  'swapped_out',
  'idle_wake_up',
  'preemption_delay',
  'not_explained',
  'not_recorded',
];

/** What a reason is called, in legends and tables. */
export const WHY_LABELS: Readonly<Record<Why, string>> = {
  rank: 'rank',
  priority: 'priority',
  swapped_out: 'stack or process swapped out',
  idle_wake_up: 'idle wake-up',
  preemption_delay: 'preemption delay',
  not_explained: 'not explained',
  not_recorded: 'not recorded',
};

/** How many CPUs stood how to a waiting thread at an instant. */
export type StandingCounts = Readonly<Record<Standing, number>>;

/** Which part of a wait an instant belongs to; `missing` CPUs have no recorded run. */
export function partAt(counts: StandingCounts, missing: number): keyof WaitParts {
  if (counts.idle > 0 || counts.behind > 0) return 'free';
  if (counts.unknown > 0 || missing > 0) return 'not_recorded';
  if (counts.better_rank > 0) return 'rank';
  return counts.priority > 0 ? 'priority' : 'not_recorded';
}

/** The shares of a wait, largest first, without empty ones. They sum to what the parts sum to. */
export function sharesOf(parts: WaitParts, facts: FreeFacts): WhyShare[] {
  const { rank, priority, free, not_recorded } = parts;
  const freeShares = facts.swapped_out ? [{ why: 'swapped_out' as const, ns: free }] : delays(free, facts);
  const shares: readonly WhyShare[] = [
    { why: 'rank', ns: rank },
    { why: 'priority', ns: priority },
    ...freeShares,
    { why: 'not_recorded', ns: not_recorded },
  ];
  return shares.filter(({ ns }) => ns > 0).sort((a, b) => b.ns - a.ns);
}

function delays(free: number, { final_ns, took_idle_cpu }: FreeFacts): WhyShare[] {
  const [why, longest]: readonly [Why, number] = took_idle_cpu
    ? ['idle_wake_up', IDLE_WAKE_UP_MAX_NS]
    : ['preemption_delay', PREEMPTION_DELAY_MAX_NS];
  const delay = final_ns <= longest ? final_ns : 0;
  return [
    { why, ns: delay },
    { why: 'not_explained', ns: free - delay },
  ];
}

/** The main reason: that of the largest share. What was not recorded explains nothing. */
export function mainOf(shares: readonly WhyShare[]): MainWhy {
  const why = shares[0]?.why ?? 'not_explained';
  return why === 'not_recorded' ? 'not_explained' : why;
}
