import { filled, firstFrom, type Stretch } from '../tables/index.ts';
import type { EndedWaits } from './ended-waits.ts';

/** The waiting that ended in one moment: from the end of its first wait on, before `ts + dur`. */
export interface MomentSum {
  readonly ts: number;
  readonly dur: number;
  readonly waited_sum_ns: number;
  readonly at_least: boolean;
}

/** The most waiting that ended in a moment within a step of time. */
export interface StepPeak {
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
  waits: EndedWaits,
  range: Stretch,
  bucket_ns: number,
  at_least_ns: number,
): MomentSums {
  const { te, longest_ns, since_start } = waits;
  const { ends, before_ns } = waitsThatPass(waits, range, at_least_ns);
  const unseen = [...since_start]
    .filter((ts) => ends[firstFrom(ends, 0, ends.length, ts)] === ts)
    .sort((a, b) => a - b);
  return {
    waits: ends.length,
    moments: cutIntoMoments(ends, before_ns, unseen, bucket_ns),
    endsIn: ({ ts, dur }) => {
      const first = firstFrom(te, 0, te.length, ts);
      const next = firstFrom(te, first, te.length, Math.min(ts + dur, range.end));
      return [...te.subarray(first, next)].filter((_, at) => (longest_ns[first + at] ?? 0) >= at_least_ns);
    },
  };
}

/** Waits that are added up. */
interface PassingWaits {
  /** When each ended. */
  readonly ends: Float64Array;
  /** The waiting of all waits before each, and of all. */
  readonly before_ns: Float64Array;
}

/** Of so many waits the room is kept: memory that is new takes longer than the sums. */
const KEPT_WAITS = 1 << 24;
const rooms = new WeakMap<EndedWaits, PassingWaits>();

/** Room for waits of a trace that pass, until there is another look at them. */
function roomFor(waits: EndedWaits): PassingWaits {
  const count = waits.te.length;
  const room = rooms.get(waits) ?? {
    ends: new Float64Array(count),
    before_ns: new Float64Array(count + 1),
  };
  if (count <= KEPT_WAITS) rooms.set(waits, room);
  return room;
}

/** Plain loops over columns, here and below: there are millions of waits, and they are added up at each change of a filter. */
function waitsThatPass(waits: EndedWaits, { start, end }: Stretch, at_least_ns: number): PassingWaits {
  const { te, waited_ns, longest_ns } = waits;
  // They are in the order of their ends.
  const from = firstFrom(te, 0, te.length, start);
  const to = firstFrom(te, from, te.length, end);
  const { ends, before_ns } = roomFor(waits);
  let passed = 0;
  let sum_ns = 0;
  for (let row = from; row < to; row++) {
    if ((longest_ns[row] ?? 0) < at_least_ns) continue;
    sum_ns += waited_ns[row] ?? 0;
    ends[passed++] = te[row] ?? 0;
    before_ns[passed] = sum_ns;
  }
  return { ends: ends.subarray(0, passed), before_ns };
}

/** The moments of waits; `unseen` are the ends of those that began before the trace, rising. */
function cutIntoMoments(
  ends: Float64Array,
  before_ns: Float64Array,
  unseen: readonly number[],
  bucket_ns: number,
): MomentSum[] {
  const moments: MomentSum[] = [];
  const waits = ends.length;
  const peaks = beginsOfPeaks(ends, before_ns, bucket_ns);
  let peak = 0;
  let nextUnseen = 0;
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
  return moments;
}

/** Ends that lie within one moment's length: the first of them, and the one that begins the moment which holds most, the first of equal ones. */
interface Near {
  readonly first: number;
  best: number;
  best_ns: number;
}

/**
 * The ends that begin a moment which holds more than any that begins less than `bucket_ns` before it, and no less than
 * any that begins so soon after it. `before_ns` is the waiting of all waits before each.
 */
function beginsOfPeaks(ends: Float64Array, before_ns: Float64Array, bucket_ns: number): readonly number[] {
  // Only the best of those that are near one another may be a peak.
  const nears: Near[] = [];
  let near: Near = { first: 0, best: 0, best_ns: 0 };
  let nearEnd = -Infinity;
  for (let at = 0, next = 0; at < ends.length; at++) {
    const ts = ends[at] ?? 0;
    while (next < ends.length && (ends[next] ?? 0) < ts + bucket_ns) next++;
    const sum_ns = (before_ns[next] ?? 0) - (before_ns[at] ?? 0);
    if (ts >= nearEnd) {
      nearEnd = ts + bucket_ns;
      near = { first: at, best: at, best_ns: sum_ns };
      nears.push(near);
    } else if (sum_ns > near.best_ns) {
      near.best = at;
      near.best_ns = sum_ns;
    }
  }
  const most = (from: number, to: number) => mostHeld(ends, before_ns, bucket_ns, from, to);
  return nears.flatMap(({ first, best, best_ns }, at) => {
    const ts = ends[best] ?? 0;
    // A moment that begins less than the length of one from it is in one of these two.
    const [before, after] = [nears[at - 1], nears[at + 1]];
    if (before !== undefined && before.best_ns >= best_ns) {
      const reach = ts - bucket_ns;
      if ((ends[before.best] ?? 0) > reach) return [];
      if (most(firstFrom(ends, before.best, first, reach + 1), first) >= best_ns) return [];
    }
    if (after !== undefined && after.best_ns > best_ns) {
      const reach = ts + bucket_ns;
      if ((ends[after.best] ?? 0) < reach) return [];
      if (most(after.first, firstFrom(ends, after.first, after.best, reach)) > best_ns) return [];
    }
    return [best];
  });
}

/** The most that is held by a moment which begins with one of the ends from `from` until before `to`. */
function mostHeld(
  ends: Float64Array,
  before_ns: Float64Array,
  bucket_ns: number,
  from: number,
  to: number,
): number {
  let most_ns = -Infinity;
  for (let at = from, next = from; at < to; at++) {
    const until = (ends[at] ?? 0) + bucket_ns;
    while (next < ends.length && (ends[next] ?? 0) < until) next++;
    most_ns = Math.max(most_ns, (before_ns[next] ?? 0) - (before_ns[at] ?? 0));
  }
  return most_ns;
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
