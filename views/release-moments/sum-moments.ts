import { filled, firstFrom } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { EndedWaits } from './ended-waits.ts';
import type { StepPeak } from './model.ts';

/** The waiting that ended in one moment: from the end of its first wait on, before `ts + dur`. */
export interface MomentSum {
  readonly ts: number;
  readonly dur: number;
  readonly waited_sum_ns: number;
  readonly at_least: boolean;
}

/** The moments of some waits, in the order of time. */
export interface MomentSums {
  /** How many waits are counted. */
  readonly waits: number;
  readonly moments: readonly MomentSum[];
  /** When the waits of a moment ended. */
  readonly endsIn: (moment: MomentSum) => readonly number[];
}

/**
 * Adds up, by moments of `bucket_ns` at most, the waits that ended in `range` and were blocked or ready for `at_least_ns` or more.
 * A moment begins where a wait ends, wherever that is: where most waiting ends, no moment ends in the middle of it.
 */
export function sumMoments(
  { te, waited_ns, longest_ns, since_start }: EndedWaits,
  { start, end }: TimeRange,
  bucket_ns: number,
  at_least_ns: number,
): MomentSums {
  // They are in the order of their ends.
  const from = firstFrom(te, 0, te.length, start);
  const to = firstFrom(te, from, te.length, end);
  let waits = 0;
  // Plain loops over columns: there are millions of waits, and they are added up at each change of a filter.
  for (let row = from; row < to; row++) if ((longest_ns[row] ?? 0) >= at_least_ns) waits++;
  const ends = new Float64Array(waits);
  // The waiting of all waits before each.
  const before_ns = new Float64Array(waits + 1);
  for (let row = from, wait = 0, sum_ns = 0; row < to; row++) {
    if ((longest_ns[row] ?? 0) < at_least_ns) continue;
    sum_ns += waited_ns[row] ?? 0;
    ends[wait++] = te[row] ?? 0;
    before_ns[wait] = sum_ns;
  }
  const placeOf = (ts: number, after = 0): number => firstFrom(ends, after, waits, ts);
  const unseen = [...since_start].filter((ts) => ends[placeOf(ts)] === ts).sort((a, b) => a - b);
  const moments: MomentSum[] = [];
  const peaks = beginsOfPeaks(ends, before_ns, bucket_ns);
  let [peak, nextUnseen] = [0, 0];
  for (let first = 0; first < waits;) {
    while (peak < peaks.length && (peaks[peak] ?? 0) <= first) peak++;
    const ts = ends[first] ?? 0;
    const until = Math.min(ts + bucket_ns, ends[peaks[peak] ?? waits] ?? Infinity);
    let next = first + 1;
    while (next < waits && (ends[next] ?? 0) < until) next++;
    const next_ts = next < waits ? (ends[next] ?? 0) : Infinity;
    const at_least = (unseen[nextUnseen] ?? Infinity) < next_ts;
    while ((unseen[nextUnseen] ?? Infinity) < next_ts) nextUnseen++;
    const waited_sum_ns = (before_ns[next] ?? 0) - (before_ns[first] ?? 0);
    moments.push({ ts, dur: until - ts, waited_sum_ns, at_least });
    first = next;
  }
  return {
    waits,
    moments,
    endsIn: ({ ts, dur }) => {
      const first = placeOf(ts);
      return [...ends.subarray(first, placeOf(ts + dur, first))];
    },
  };
}

/**
 * The ends that begin a moment which holds more than any that begins less than `bucket_ns` before it, and no less than
 * any that begins so soon after it. `before_ns` is the waiting of all waits before each.
 */
function beginsOfPeaks(ends: Float64Array, before_ns: Float64Array, bucket_ns: number): readonly number[] {
  const sums_ns = new Float64Array(ends.length);
  // All that begin in one bucket are as near to one another: the first of those that hold most is the only one which may be a peak.
  const mayBe: number[] = [];
  let best = 0;
  let bucketEnd = -Infinity;
  for (let first = 0, next = 0; first < ends.length; first++) {
    const ts = ends[first] ?? 0;
    while (next < ends.length && (ends[next] ?? 0) < ts + bucket_ns) next++;
    const sum_ns = (before_ns[next] ?? 0) - (before_ns[first] ?? 0);
    sums_ns[first] = sum_ns;
    if (ts >= bucketEnd) {
      bucketEnd = ts + bucket_ns;
      mayBe.push(first);
      best = sum_ns;
    } else if (sum_ns > best) {
      mayBe[mayBe.length - 1] = first;
      best = sum_ns;
    }
  }
  return mayBe.filter((at) => isPeak(at, ends, sums_ns, bucket_ns));
}

function isPeak(at: number, ends: Float64Array, sums_ns: Float64Array, bucket_ns: number): boolean {
  const ts = ends[at] ?? 0;
  const sum_ns = sums_ns[at] ?? 0;
  for (let other = at + 1; other < ends.length && (ends[other] ?? 0) < ts + bucket_ns; other++)
    if ((sums_ns[other] ?? 0) > sum_ns) return false;
  for (let other = at - 1; other >= 0 && (ends[other] ?? 0) > ts - bucket_ns; other--)
    if ((sums_ns[other] ?? 0) >= sum_ns) return false;
  return true;
}

/** The longest of some lengths, largest first, that no more than `max_waits` waits have; the first where even it is too short. */
export function leastLength(
  { longest_ns }: Pick<EndedWaits, 'longest_ns'>,
  lengths_ns: readonly number[],
  max_waits: number,
): number {
  const rising = [...lengths_ns].reverse();
  const counts = new Float64Array(rising.length + 1);
  // By their numbers: an iterator would put each on the heap.
  for (let wait = longest_ns.length - 1; wait >= 0; wait--) {
    const longest = longest_ns[wait] ?? 0;
    let passed = 0;
    while (passed < rising.length && longest >= (rising[passed] ?? 0)) passed++;
    counts[passed] = (counts[passed] ?? 0) + 1;
  }
  let waits = 0;
  let least_ns = lengths_ns[0] ?? 0;
  for (let passed = rising.length; passed > 0; passed--) {
    waits += counts[passed] ?? 0;
    if (waits > max_waits) break;
    least_ns = rising[passed - 1] ?? 0;
  }
  return least_ns;
}

/** The moments in which most waiting ended, most first. */
export function greatest(moments: readonly MomentSum[], max_rows: number): readonly MomentSum[] {
  const sums = filled(new Float64Array(moments.length), (at) => moments[at]?.waited_sum_ns ?? 0).sort();
  const least_ns = sums[Math.max(0, sums.length - max_rows)] ?? 0;
  return moments
    .filter(({ waited_sum_ns }) => waited_sum_ns >= least_ns)
    .sort((a, b) => b.waited_sum_ns - a.waited_sum_ns || a.ts - b.ts)
    .slice(0, max_rows);
}

/** The most waiting that ended in one moment, for each step of time in which one begins. */
export function peaksOf(
  moments: readonly MomentSum[],
  step_ns: number,
  range_start: number,
): readonly StepPeak[] {
  const best = new Map<number, MomentSum>();
  for (const moment of moments) {
    const step = Math.trunc((moment.ts - range_start) / step_ns);
    const before = best.get(step);
    if (before === undefined || moment.waited_sum_ns > before.waited_sum_ns) best.set(step, moment);
  }
  return [...best]
    .sort(([a], [b]) => a - b)
    .map(([step, { waited_sum_ns, at_least }]) => ({
      ts: range_start + step * step_ns,
      dur: step_ns,
      waited_sum_ns,
      at_least,
    }));
}
