import type { Standing } from './standing.ts';

/**
 * What use a CPU is to a waiting thread at an instant: how the run on it stands, unless
 * `interrupt`: a DPC or an ISR keeps it, which would be free for the thread otherwise;
 * `taking_interrupt`: the same, and it is the CPU that then took the thread;
 * `free_elsewhere`: the thread may not run there, where it could;
 * `elsewhere`: the thread may not run there, and could not.
 */
export type CpuUse = Standing | 'interrupt' | 'taking_interrupt' | 'free_elsewhere' | 'elsewhere';

/** For each use, how many CPUs have it for a waiting thread at an instant. */
export type UseCounts = Readonly<Record<CpuUse, number>>;

/** Counts of no CPU, to be counted in. */
export function noUses(): Record<CpuUse, number> {
  return {
    better_rank: 0,
    priority: 0,
    behind: 0,
    unknown: 0,
    idle: 0,
    interrupt: 0,
    taking_interrupt: 0,
    free_elsewhere: 0,
    elsewhere: 0,
  };
}

/** A CPU at an instant. */
export interface CpuState {
  readonly standing: Standing;
  /** The thread may run there. */
  readonly is_usable: boolean;
  /** It is in a DPC or an ISR. */
  readonly is_interrupted: boolean;
  /** It is the CPU that then took the thread. */
  readonly takes_it: boolean;
}

/** What use a CPU is to a waiting thread. */
export function useOf({ standing, is_usable, is_interrupted, takes_it }: CpuState): CpuUse {
  const isFree = standing === 'idle' || standing === 'behind';
  if (!is_usable) return isFree && !is_interrupted ? 'free_elsewhere' : 'elsewhere';
  if (!is_interrupted || !isFree) return standing;
  return takes_it ? 'taking_interrupt' : 'interrupt';
}
