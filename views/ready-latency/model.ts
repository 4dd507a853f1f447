import type { Row } from '../../shared/engine/index.ts';
import type { Known } from '../../shared/recording/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { LaneSpan, RanSum } from '../../shared/why-late/columns/index.ts';
import type { MainWhy, Standing } from '../../shared/why-late/index.ts';
import type { DurationBin } from '../kit/histogram.ts';
import type { Verdict } from './verdict.ts';

/** The ranks that were recorded at the ends of the runs before and after a wait; null where one was not. */
export interface RecordedRanks {
  readonly before: number | null;
  readonly after: number | null;
  /** Where both are known and what ran meanwhile was looked at: how much of the wait each explains, in ns. */
  readonly explained_ns: { readonly before: number; readonly after: number } | null;
}

/** One wait of a thread that was ready to run. */
export interface ReadyWait {
  readonly ts: number;
  readonly dur: number;
  /** False where the trace ends before the thread ran: the wait was longer than `dur`. */
  readonly ended: boolean;
  /** `wake`: it had waited for something, and was readied. `preempted`: it had run, and was put aside. */
  readonly cause: string;
  readonly tid: number;
  readonly thread: string | null;
  readonly pid: number | null;
  readonly process: string | null;
  /** The CPU on which it then ran. */
  readonly cpu: number | null;
  readonly rank: number | null;
  /** The ranks that were recorded before and after it, where that is not one and the same; null too where one is not known, and the other is 0. */
  readonly recorded_ranks: RecordedRanks | null;
  readonly priority: number | null;
  readonly base_priority: number | null;
  /**
   * Why it ran late: of the 500 longest an estimate from a few instants, `pending` until it is made; in the detail the verdict; else
   * null.
   */
  readonly why_late: MainWhy | 'pending' | null;
  /** How long it had been blocked before it was readied, in ns; null if it was not, or that is not known. */
  readonly waited_ns: number | null;
  /** True where the trace starts within that time: it was longer than `waited_ns`. */
  readonly waited_since_start: boolean;
  readonly wait_reason: string | null;
  /** Who readied it: `explorer.exe (tid 4711)`, or `DPC on CPU 3`. */
  readonly readied_by: string | null;
  /** The boost that came with the wake: `+2`. */
  readonly boost: string | null;
}

/** Numbers over many waits. A percentile is the longest wait of the hundredth of a decade in which it lies. */
export interface WaitSummary {
  readonly count: number;
  readonly sum_ns: number;
  readonly p50_ns: number;
  readonly p90_ns: number;
  readonly p99_ns: number;
  readonly max_ns: number;
  /** The sum of the waits that are longer than `p99_ns`. */
  readonly above_p99_ns: number;
}

/** What waits are grouped by. */
export type GroupBy = 'process' | 'thread' | 'rank' | 'priority';

/** The waits of one process, thread, rank or priority; fields that do not name it are null. */
export interface GroupSummary extends WaitSummary {
  readonly process: string | null;
  readonly pid: number | null;
  readonly tid: number | null;
  readonly rank: number | null;
  readonly priority: number | null;
}

/** The listed waits with one main reason. */
export interface WhySum {
  readonly why: MainWhy;
  readonly count: number;
  readonly sum_ns: number;
}

/** A run, or the short runs of one standing in a step of time, on one CPU. */
export interface MeanwhileSpan extends Omit<LaneSpan, 'run'> {
  /** `LockApp.exe (tid 5128)`, or `idle`; null for a sum of short runs. */
  readonly thread: string | null;
  readonly rank: number | null;
  readonly priority: number | null;
}

/** CPU time of one thread at one rank and priority while the chosen thread waited. */
export interface NamedRanSum extends RanSum {
  readonly tid: number | null;
  readonly thread: string | null;
  readonly pid: number | null;
  readonly process: string | null;
}

/** CPU time of the runs with one rank and priority. */
export type RankPrioritySum = Pick<NamedRanSum, 'rank' | 'priority' | 'standing' | 'ran_ns'>;

/** CPU time of one thread during the wait. */
export interface ThreadSum extends Omit<NamedRanSum, 'utid' | 'rank' | 'priority' | 'standing'> {
  /** The CPU time of the thread's runs by how they stand. */
  readonly by_standing: Readonly<Record<Standing, number>>;
}

/** What ran while the chosen thread waited. */
export interface Meanwhile {
  readonly wait: ReadyWait;
  readonly cpu_count: number;
  /** CPU time by how the runs stand, all CPUs together. What is missing to the wait times the CPUs was not recorded. */
  readonly by_standing: Readonly<Record<Standing, number>>;
  readonly by_rank_and_priority: readonly RankPrioritySum[];
  /** Most CPU time first. */
  readonly by_thread: readonly ThreadSum[];
  readonly spans: readonly MeanwhileSpan[];
  readonly verdict: Verdict;
  /** The answer in words, the verdict's sentence among them. */
  readonly sentences: readonly string[];
}

/** All that the view draws. */
export interface ReadyLatencyModel extends Known {
  /** Over all waits that the filters let through, whatever their length. Percentiles are at most 2.4 % too high. */
  readonly total: WaitSummary;
  /** Longest wait first. */
  readonly groups: readonly GroupSummary[];
  readonly group_by: GroupBy;
  /** In tenths of a decade, without gaps. */
  readonly histogram: readonly DurationBin[];
  /** How many waits are at least as long as asked for; `waits` may be cut shorter. */
  readonly listed: number;
  /** Which of the longest are listed, in words, where a wait reason or a main reason is asked for. */
  readonly only: string | null;
  /** Longest first. */
  readonly waits: readonly ReadyWait[];
  /** Most ready time first; empty until all that are to be judged are. */
  readonly by_why: readonly WhySum[];
  /** What is left to judge of the list; null once all that are to be judged are. */
  readonly unjudged: Unjudged | null;
}

/** What is still to be judged of a list, and what it is a list of. */
export interface Unjudged {
  /** Waits, as `readWait` reads them. */
  readonly rows: readonly Row[];
  /** Where it lists one main reason: that, all rows that may have it, how many are shown, and the words for it when all are judged. */
  readonly only: {
    readonly why: MainWhy;
    readonly among: readonly Row[];
    readonly limit: number;
    readonly words: string | null;
  } | null;
}

/** A wait that is chosen. */
export interface ChosenWait {
  readonly wait_ts: number;
  readonly wait_tid: number;
}

/** What a standing means, for legends and tables. */
export const STANDING_LABELS: Readonly<Record<Standing, string>> = {
  better_rank: 'better rank, lower priority',
  priority: 'priority as high or higher',
  behind: 'behind it in rank or priority',
  unknown: 'lower priority, rank not recorded',
  idle: 'idle',
};

/** Steps into which the chosen wait is cut, where its runs are too short to draw one by one. */
export const LANE_STEPS = 600;

/** Room beside a wait in its lanes, as a part of its length. */
const ROOM = 0.02;

/** What the lanes of a wait show: the range in view where that lies within the wait, and else all of the wait. */
export function lanesRange({ ts, dur }: ReadyWait, inView: TimeRange): TimeRange {
  const around = { start: ts - dur * ROOM, end: ts + dur * (1 + ROOM) };
  const isWithin = inView.start >= around.start && inView.end <= around.end;
  const shows = inView.start < ts + dur && inView.end > ts;
  return isWithin && shows ? inView : around;
}

/** The part of a wait whose runs are drawn while `inView` is in view. */
export function partInSight(wait: ReadyWait, inView: TimeRange): TimeRange {
  const { start, end } = lanesRange(wait, inView);
  return {
    start: Math.max(wait.ts, Math.floor(start)),
    end: Math.min(wait.ts + wait.dur, Math.ceil(end)),
  };
}
