import type { Standing } from '../../shared/why-late/index.ts';

/**
 * What the time of a CPU went to during a wait: a run, by how it stands to the thread that waited;
 * `interrupt`: DPCs and ISRs, whatever they interrupted;
 * `elsewhere`: anything on a CPU that the thread may not use;
 * `not_recorded`: what is not known.
 */
export type CpuTime = Standing | 'interrupt' | 'elsewhere' | 'not_recorded';

/** CPU time by what it went to, in ns: sums to the length of the wait times the CPUs. */
export type CpuTimes = Readonly<Record<CpuTime, number>>;

/** No CPU time yet. */
export const NO_CPU_TIME: CpuTimes = {
  better_rank: 0,
  priority: 0,
  behind: 0,
  idle: 0,
  interrupt: 0,
  elsewhere: 0,
  unknown: 0,
  not_recorded: 0,
};

/** What CPU time is called, in the order in which it is shown. */
export const CPU_TIME_LABELS: Readonly<Record<CpuTime, string>> = {
  better_rank: 'ran threads that went first by rank alone',
  priority: 'ran threads that went first by priority',
  behind: 'ran threads that had to yield to it',
  idle: 'idle',
  interrupt: 'in DPCs and interrupts',
  elsewhere: 'on CPUs that it may not use',
  unknown: 'ran threads of lower priority, rank not recorded',
  not_recorded: 'not recorded',
};
