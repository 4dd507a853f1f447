import { oncePerTrace, toNumber, toText, type Query, type Row } from '../engine/index.ts';
import type { Stretch } from '../tables/index.ts';
import { describeMoments } from './describe-moments.ts';
import { loadEndedWaits } from './ended-waits.ts';
import type { MomentColumns, MomentSum } from './moment-columns.ts';
import { leastLength, sumMoments } from './sum-moments.ts';

/** About how many waits are shown, if the user does not say how long they must be. */
const MAX_WAITS = 50_000;
/** How short waits may be then, from the longest on. */
const LENGTHS_NS = [3e10, 1e10, 3e9, 1e9, 3e8, 1e8, 3e7, 1e7, 3e6, 1e6, 0];

/** A moment at which waiting ended: threads that had waited were switched in. */
export interface Moment {
  readonly ts: number;
  readonly dur: number;
  /** The waiting that ended, blocked and ready until the switch-in, all threads together. */
  readonly waited_sum_ns: number;
  readonly waited_max_ns: number;
  /** True where a wait began before the trace: the waiting was longer than is known. */
  readonly at_least: boolean;
  readonly threads: number;
  readonly processes: number;
  /** The thread whose wakes ended most of it: `svchost.exe Winmgmt (tid 20, pump)`, or `a DPC`, or `preempted threads`. */
  readonly released_by: string;
  /** How much of the waiting that one ended. */
  readonly released_sum_ns: number;
  /** Who began it: the first in the chain of wakes to `released_by` that had not itself just waited for longer. */
  readonly begun_by: string;
  /** The run to look at forward from here: a time at which it began, and its thread; null where that is not known. */
  readonly run_ts: number | null;
  readonly run_tid: number | null;
  readonly run_pid: number | null;
}

/** Which moments are asked for. */
export interface MomentsWanted {
  readonly bucket_ns: number;
  /** Waits that were both blocked and ready for less are left out; null: chosen, so that few enough are left. */
  readonly at_least_ns: number | null;
  /** How many of the moments are described. */
  readonly limit: number;
}

/** The moments of a range. */
export interface Moments {
  readonly at_least_ns: number;
  /** Waits that are counted. */
  readonly waits: number;
  /** All of them, in the order of time. */
  readonly sums: MomentColumns;
  /** Those in which most waiting ended, most first. */
  readonly greatest: readonly Moment[];
}

/** Asks for the moments of `range`. */
export async function loadMoments(query: Query, wanted: MomentsWanted, range: Stretch): Promise<Moments> {
  const ended = await loadEndedWaits(query);
  const at_least_ns = wanted.at_least_ns ?? (await chooseLength(query));
  const { waits, moments, endsIn } = sumMoments(ended, range, wanted.bucket_ns, at_least_ns);
  const listed = moments.greatest(wanted.limit);
  const ends = listed.map((moment) => endsIn(moment));
  const described = await describeMoments(query, { at_least_ns, ends, since_start: ended.since_start });
  return {
    at_least_ns,
    waits,
    sums: moments,
    greatest: described.flatMap((row) => {
      const sum = listed[Number(row.moment)];
      return sum === undefined ? [] : [readMoment(row, sum)];
    }),
  };
}

/** The least length of waits that not too many of the trace have. */
const chooseLength = oncePerTrace(async (query) =>
  leastLength(await loadEndedWaits(query), LENGTHS_NS, MAX_WAITS),
);

function readMoment(row: Row, { ts, dur, waited_sum_ns, at_least }: MomentSum): Moment {
  return {
    ts,
    dur,
    waited_sum_ns,
    waited_max_ns: Number(row.waited_max_ns),
    at_least,
    threads: Number(row.threads),
    processes: Number(row.processes),
    released_by: releasedBy(row),
    begun_by: toNumber(row.begun_tid) === null ? releasedBy(row) : (toText(row.begun) ?? releasedBy(row)),
    released_sum_ns: Number(row.released_sum_ns),
    run_ts: toNumber(row.run_ts),
    run_tid: toNumber(row.run_tid),
    run_pid: toNumber(row.run_pid),
  };
}

function releasedBy(row: Row): string {
  if (row.cause === 'preempted') return 'a free CPU (preempted threads)';
  return toNumber(row.waker_tid) === null ? 'a DPC' : (toText(row.waker) ?? 'a DPC');
}
