import type { Known } from '../../shared/recording/index.ts';
import type { OwnedThread } from '../../shared/threads/index.ts';
import type { Lanes } from './lanes.ts';

/** A thread, by keys that stay the same wherever the trace is loaded. */
export type ChainThread = OwnedThread<number>;

/** What one thread did between being woken and waking the next one; the first link ends with the chosen run. */
export interface ChainLink extends ChainThread {
  /** True where it is the thread of the link before, until it blocked for what a DPC then ended: it woke no one. */
  readonly before_dpc: boolean;
  /** When it woke the next one; for the first link, when the chosen run ended; `before_dpc`, when it blocked. */
  readonly until_ts: number;
  /** When it was switched in after it was woken; where no wake is known, the switch-in of the run it was then in. */
  readonly switch_in_ts: number;
  /** CPU time from then to `until_ts`, and in how many runs. */
  readonly ran_ns: number;
  readonly runs: number;
  /** When it was woken; null where that is not known. */
  readonly ready_ts: number | null;
  /** From being woken to `switch_in_ts`. */
  readonly ready_ns: number | null;
  /** How long it had been blocked before that. */
  readonly blocked_ns: number | null;
  /** True where the trace starts within that time: it was longer than `blocked_ns`. */
  readonly blocked_since_start: boolean;
  /** Why it had been blocked (`KWAIT_REASON`). */
  readonly wait_reason: string | null;
  readonly rank: number | null;
  /** Priority at `switch_in_ts`. */
  readonly priority: number | null;
  readonly cpu: number;
  /** Who woke it: `svchost.exe Winmgmt (tid 20)`, or `a DPC`; null where that is not known. */
  readonly woken_by: string | null;
}

/** The link of a chain with which most time went by while those after it waited. */
export interface LongestLink {
  /** Its index. */
  readonly link: number;
  /** It was blocked, and no thread ended that. */
  readonly was_blocked: boolean;
  /**
   * From being woken until it woke the next one, or a DPC woke it; of the chosen run, until it was switched in. If it was blocked, for how long,
   * as far as the chosen thread was blocked then.
   */
  readonly took_ns: number;
  /** True where it had not been blocked since the trace started: it took longer than `took_ns`. */
  readonly at_least: boolean;
}

/** Why a chain ends where it does. */
export type StopReason =
  'dpc' | 'idle' | 'trace_start' | 'created' | 'lost_events' | 'no_ready_event' | 'depth';

/** A thread that was woken forward of the chosen run. */
export interface Release extends ChainThread {
  /** Wakes between the chosen run and this one; 1 for what the chosen thread woke itself. */
  readonly depth: number;
  /** Index of the release that woke it; null for the chosen thread. */
  readonly parent: number | null;
  readonly ready_ts: number;
  /** When it was switched in; null if not before the trace ended. */
  readonly switch_in_ts: number | null;
  /** When it blocked, or ended; null if it did neither, or that was not recorded. Waits for DPCs gone past are none. */
  readonly block_ts: number | null;
  /** The waiting that ended: blocked and ready, up to the switch-in or the trace's end. */
  readonly waited_ns: number;
  /** How much of it the thread was ready. */
  readonly ready_ns: number;
  /** True where the waiting began before the trace, or was not seen to end: it was longer than `waited_ns`. */
  readonly at_least: boolean;
  readonly wait_reason: string | null;
  readonly rank: number | null;
  readonly priority: number | null;
}

/** What the chosen run released of one process. */
export interface ProcessReleases {
  readonly process: string | null;
  readonly pid: number | null;
  /** The services of its threads that were released; null if it hosts none. */
  readonly service: string | null;
  /** Different threads released. */
  readonly threads: number;
  readonly waited_sum_ns: number;
  readonly waited_max_ns: number;
  /** True where one of the waits was longer than is known. */
  readonly at_least: boolean;
}

/** All that the view draws. */
export interface WakeChainModel extends Known {
  /** The chosen run first, then who woke it, and so on. Empty where there is no run to choose. */
  readonly links: readonly ChainLink[];
  /** Null where there is no chain. */
  readonly longest: LongestLink | null;
  readonly stop: { readonly reason: StopReason; readonly sentence: string } | null;
  /** Forward, by depth, then by time. */
  readonly released: readonly Release[];
  /** True where more was released than `limit` or `depth` lets through. */
  readonly released_cut: boolean;
  /** Most waiting first. */
  readonly by_process: readonly ProcessReleases[];
  readonly backward: Lanes;
  readonly forward: Lanes;
}
