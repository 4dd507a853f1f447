import type { Row } from '../../shared/engine/index.ts';
import type { GroupBy, GroupSummary, ReadyWait, WaitSummary } from '../../shared/ready-waits/index.ts';
import type { Known } from '../../shared/recording/index.ts';
import type { MainWhy, Standing } from '../../shared/why-late/index.ts';
import type { DurationBin } from '../kit/histogram.ts';

/** The listed waits with one main reason. */
export interface WhySum {
  readonly why: MainWhy;
  readonly count: number;
  readonly sum_ns: number;
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

/** What a standing means, for legends and tables. */
export const STANDING_LABELS: Readonly<Record<Standing, string>> = {
  better_rank: 'better rank, lower priority',
  priority: 'priority as high or higher',
  behind: 'behind it in rank or priority',
  unknown: 'lower priority, rank not recorded',
  idle: 'idle',
};
