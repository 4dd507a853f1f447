import type {
  Butterfly,
  FunctionSamples,
  HotLoop,
  ModeCounts,
  SampleGroup,
} from '../../shared/profile/index.ts';
import type { Known } from '../../shared/recording/index.ts';
import type { FlameNode } from '../kit/index.ts';

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
