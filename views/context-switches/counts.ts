import type { Grouping } from './params.ts';
import type { CountedGroup } from './sum-groups.ts';

/** Context switches to a thread, and its CPU time. */
export interface ThreadCount {
  /** The utid. */
  readonly id: number;
  switches: number;
  ran_ns: number;
}

/** The context switches of a range in buckets of time, wherever they come from. */
export interface SwitchCounts {
  /** On each CPU, bucket by bucket, those to the idle thread included. */
  readonly onCpus: ReadonlyMap<number, Float64Array>;
  /** Those to the idle thread, bucket by bucket. */
  readonly to_idle: Float64Array;
  /** To each thread but the idle one, by utid. */
  threads(): Promise<readonly ThreadCount[]>;
  /** To groups of threads, bucket by bucket. */
  linesOf(groups: readonly CountedGroup[], by: Grouping): Promise<readonly Float64Array[]>;
}
