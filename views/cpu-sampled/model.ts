import type { Known } from '../../shared/recording/index.ts';
import type { FlameNode } from '../kit/index.ts';
import type { Mode } from '../../shared/samples/index.ts';

/** Samples by what the CPU was at. */
export type ModeCounts = Readonly<Record<Mode, number>>;

/** The samples of one group. */
export interface SampleGroup {
  readonly label: string;
  readonly samples: number;
  readonly modes: ModeCounts;
}

/** A function, module or instruction. */
export interface FunctionSamples {
  readonly label: string;
  readonly module: string;
  /** Samples in itself. */
  readonly self: number;
  /** Samples in it or in what it called; a stack with it twice counts once. */
  readonly samples: number;
}

/** What a chosen function is called by, and calls. A recursive call is taken at its outermost. */
export interface Butterfly {
  readonly chosen: FunctionSamples;
  /** Most samples first, as those below. */
  readonly callers: readonly CallSamples[];
  /** How many there are in all. */
  readonly caller_count: number;
  readonly callees: readonly CallSamples[];
  readonly callee_count: number;
}

/** One caller or callee. */
export interface CallSamples {
  readonly label: string;
  readonly samples: number;
}

/** A few bytes of code in which a process spent a large part of its samples. */
export interface HotLoop {
  readonly process: string;
  readonly pid: number | null;
  /** Where the samples of the loop begin and end, as `module+0xrva`; the end is an instruction of it. */
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  /** Different instructions that were sampled. */
  readonly addresses: number;
  readonly threads: number;
  readonly samples: number;
  /** Part of the samples of its process, without those in DPCs and ISRs. */
  readonly share: number;
  /** The instructions, most samples first. */
  readonly hottest: readonly CallSamples[];
}

/** All that the view draws. */
export interface CpuSampledModel extends Known {
  /** Samples in the range that the filters let through. */
  readonly samples: number;
  /** Samples in the range of threads other than the idle thread. */
  readonly all_samples: number;
  /** CPU time that a sample stands for, on average; null where it was not recorded. */
  readonly interval_ns: number | null;
  readonly modes: ModeCounts;
  /** The frame that holds all. */
  readonly root: FlameNode;
  /** Most samples first. */
  readonly groups: readonly SampleGroup[];
  /** Most samples of their own first. */
  readonly functions: readonly FunctionSamples[];
  /** How many there are in all. */
  readonly function_count: number;
  readonly butterfly: Butterfly | null;
  /** Most samples first. */
  readonly hot_loops: readonly HotLoop[];
}
