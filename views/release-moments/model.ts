import type { Known } from '../../shared/recording/index.ts';
import type { Moment, StepPeak } from '../../shared/releases/index.ts';

/** All that the view draws. */
export interface ReleaseMomentsModel extends Known {
  readonly bucket_ns: number;
  /** Waits that were both blocked and ready for less are left out. */
  readonly at_least_ns: number;
  /** Waits that are counted, and moments in which they ended. */
  readonly waits: number;
  readonly moment_count: number;
  /** Most waiting first. */
  readonly moments: readonly Moment[];
  readonly peaks: readonly StepPeak[];
}
