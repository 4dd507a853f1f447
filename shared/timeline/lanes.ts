import type { Wait } from '../why-late/columns/index.ts';
import { NOTHING, type Lane } from './lane.ts';

/** What each CPU ran, and what each thread did. */
export interface Lanes {
  readonly start_ts: number;
  readonly end_ts: number;
  /** Of each CPU which thread it ran, as {@link utidOf} reads it; nothing where its events are missing. */
  readonly cpus: readonly Lane[];
  /** The threads that ran or were ready, by utid; values as in `thread-state.ts`. */
  readonly threads: ReadonlyMap<number, ThreadLane>;
  /** The wait reasons that blocked threads have as `detail`; the first one stands for none recorded. */
  readonly reasons: readonly (string | null)[];
  /** The longest ready waits, longest first. */
  readonly longest: readonly Wait[];
}

/** What one thread did. */
export interface ThreadLane {
  lane: Lane;
  /** How often it was switched in, and how often it became ready by a wake. */
  runs: number;
  wakes: number;
}

/** The thread that a value of a CPU's lane names; null for none. The idle thread is 0. */
export function utidOf(value: number): number | null {
  return value === NOTHING ? null : value - 1;
}
