import type { UseCounts } from './use.ts';

/**
 * What kept a thread from running at an instant:
 * `asleep`: the machine slept;
 * `frozen`: its process was frozen, and no thread of such a process runs;
 * `swapped_out`: its kernel stack or process was swapped out when it was readied, and had to be read in;
 * `rank`: all CPUs that it may use ran threads that went first, at least one of them by rank alone, its priority being
 * lower;
 * `priority`: these CPUs ran threads of the same or a higher priority, and no worse rank;
 * `affinity`: these CPUs ran threads that went first, and another one was free, which it may not use;
 * `interrupt`: a DPC or an ISR kept a CPU that was free for it otherwise;
 * `idle_wake_up`: the idle CPU that took it was waking up;
 * `preemption_delay`: the CPU that took it was about to put aside a thread that had to yield;
 * `not_explained`: a CPU was free for it, and none of this is why it did not run there;
 * `not_recorded`: what ran on some CPU is not known, which may be the thread itself, or how it stands to the thread.
 */
export type Why =
  | 'asleep'
  | 'frozen'
  | 'swapped_out'
  | 'rank'
  | 'priority'
  | 'affinity'
  | 'interrupt'
  | 'idle_wake_up'
  | 'preemption_delay'
  | 'not_explained'
  | 'not_recorded';

/** The one reason that is named for a wait. */
export type MainWhy = Exclude<Why, 'not_recorded'>;

/** What keeps a thread from running whatever the CPUs do; of several the first one counts. */
export type Held = 'asleep' | 'frozen' | 'swapped_out';

/** A part of a wait, and what kept the thread from running in it. */
export interface WhyShare {
  readonly why: Why;
  readonly ns: number;
}

/** What a wait is divided into at first. `free`: at least one CPU was idle or ran what had to yield. */
export const PARTS = [
  'asleep',
  'frozen',
  'swapped_out',
  'rank',
  'priority',
  'affinity',
  'interrupt',
  'free',
  'not_recorded',
] as const;
export type Part = (typeof PARTS)[number];

/** Parts of a wait, in ns, or in what it was cut into. */
export type WaitParts = Readonly<Record<Part, number>>;

/** A wait without any parts yet. */
export function noParts(): Record<Part, number> {
  return {
    asleep: 0,
    frozen: 0,
    swapped_out: 0,
    rank: 0,
    priority: 0,
    affinity: 0,
    interrupt: 0,
    free: 0,
    not_recorded: 0,
  };
}

/** What decides why a CPU that was free for a thread did not run it. */
export interface FreeFacts {
  /** Of the time with a free CPU: the last stretch of it, if that ends with the switch-in and is a delay by {@link isDelay}; else 0. */
  readonly delay_ns: number;
  /** True if its kernel stack or its process was swapped out when it was readied, and nothing tells when it had been read in. */
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
  'affinity',
  'interrupt',
  'frozen',
  'asleep',
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
  affinity: 'affinity',
  interrupt: 'DPC or interrupt',
  frozen: 'process frozen',
  asleep: 'machine asleep',
  swapped_out: 'stack or process swapped out',
  idle_wake_up: 'idle wake-up',
  preemption_delay: 'preemption delay',
  not_explained: 'not explained',
  not_recorded: 'not recorded',
};

/**
 * Which part of a wait an instant belongs to; `missing` CPUs that it may use have no recorded run. `mayHaveRun`: events of one of
 * these are lost, so that the thread may have run there meanwhile, whatever was free elsewhere.
 */
export function partAt(held: Held | null, mayHaveRun: boolean, counts: UseCounts, missing: number): Part {
  if (held !== null) return held;
  if (mayHaveRun) return 'not_recorded';
  if (counts.taking_interrupt > 0) return 'interrupt';
  if (counts.idle > 0 || counts.behind > 0) return 'free';
  if (counts.unknown > 0 || missing > 0) return 'not_recorded';
  if (counts.interrupt > 0) return 'interrupt';
  if (counts.free_elsewhere > 0) return 'affinity';
  if (counts.better_rank > 0) return 'rank';
  return counts.priority > 0 ? 'priority' : 'not_recorded';
}

/** The shares of a wait, largest first, without empty ones. They sum to what the parts sum to. */
export function sharesOf({ free, ...parts }: WaitParts, facts: FreeFacts): WhyShare[] {
  const shares: readonly WhyShare[] = [
    { why: 'rank', ns: parts.rank },
    { why: 'priority', ns: parts.priority },
    { why: 'affinity', ns: parts.affinity },
    { why: 'interrupt', ns: parts.interrupt },
    { why: 'frozen', ns: parts.frozen },
    { why: 'asleep', ns: parts.asleep },
    { why: 'swapped_out', ns: parts.swapped_out + (facts.swapped_out ? free : 0) },
    ...(facts.swapped_out ? [] : delays(free, facts)),
    { why: 'not_recorded', ns: parts.not_recorded },
  ];
  return shares.filter(({ ns }) => ns > 0).sort((a, b) => b.ns - a.ns);
}

/** Whether the last stretch with a free CPU is short enough to be the delay of a switch. */
export function isDelay(final_ns: number, took_idle_cpu: boolean): boolean {
  return final_ns <= (took_idle_cpu ? IDLE_WAKE_UP_MAX_NS : PREEMPTION_DELAY_MAX_NS);
}

function delays(free: number, { delay_ns, took_idle_cpu }: FreeFacts): WhyShare[] {
  return [
    { why: took_idle_cpu ? 'idle_wake_up' : 'preemption_delay', ns: delay_ns },
    { why: 'not_explained', ns: free - delay_ns },
  ];
}

/** The main reason: that of the largest share. What was not recorded explains nothing. */
export function mainOf(shares: readonly WhyShare[]): MainWhy {
  const why = shares[0]?.why ?? 'not_explained';
  return why === 'not_recorded' ? 'not_explained' : why;
}
