import type { Threshold } from './model.ts';

const SOURCE =
  '"2 million context switches", an investigation with PAL (Performance Analysis of Logs) and PerfMon';

/** Rates that tell a storm from work, the highest first. */
export const THRESHOLDS: readonly Threshold[] = [
  { per_s: 100_000, means: 'is too much for any server', source: SOURCE },
  { per_s: 1000, means: 'is about normal', source: SOURCE },
];

/** Of all CPU time, so much in the kernel is normal at most; by the same source. */
export const KERNEL_NORMAL = 0.1;
