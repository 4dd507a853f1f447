import { quickselect } from 'd3';
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
  const line = lineOf(waits, range, bucket_ns, at_least_ns);
  const unseen = [...since_start].filter((ts) => hasEnd(line, ts)).sort((a, b) => a - b);
  return {
    waits: line.passed,
    moments: cutIntoMoments(line, unseen, bucket_ns),
    endsIn: ({ ts, dur }) => {
      const first = firstFrom(te, 0, te.length, ts);
      const next = firstFrom(te, first, te.length, Math.min(ts + dur, range.end));
      return [...te.subarray(first, next)].filter((_, at) => (longest_ns[first + at] ?? 0) >= at_least_ns);
    },
  };
}

/** Waits that are added up, and maybe others between them, which add nothing. */
interface Line {
  /** When each ended, rising. */
  readonly ends: Float64Array;
  /** Those that pass have `at_least_ns` or more here. */
  readonly longest_ns: Float64Array;
  readonly at_least_ns: number;
  /** The first that is looked at, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** Of each the first that ends a moment's length after it, or later: behind `to` where there is none. */
  readonly next: Int32Array;
  /** The waiting of those that pass before each; behind `to`, of all. */
  readonly before_ns: Float64Array;
  /** How many pass. */
  readonly passed: number;
}

/** Where fewer pass, of so many each, they are put together first. */
const DENSE = 8;

function lineOf(waits: EndedWaits, range: Stretch, bucket_ns: number, at_least_ns: number): Line {
  const { te, longest_ns } = waits;
  const from = firstFrom(te, 0, te.length, range.start);
  const to = firstFrom(te, from, te.length, range.end);
  if (passingOfSome(longest_ns, from, to, at_least_ns) * DENSE < 1)
    return sparseLine(waits, from, to, bucket_ns, at_least_ns);
  const { before_ns, next } = roomFor(waits, bucket_ns);
  const passed = sumBefore(waits, from, to, at_least_ns, before_ns);
  if (to > from) before_ns.fill(before_ns[to] ?? 0, to, (next[to - 1] ?? to) + 1);
  return { ends: te, longest_ns, at_least_ns, from, to, next, before_ns, passed };
}

/** The part of waits that passes, by some of them. */
function passingOfSome(longest_ns: Float64Array, from: number, to: number, at_least_ns: number): number {
  const step = 61;
  let [looked, passed] = [0, 0];
  for (let row = from; row < to; row += step) {
    looked++;
    if ((longest_ns[row] ?? 0) >= at_least_ns) passed++;
  }
  return looked === 0 ? 0 : passed / looked;
}

/** What is kept of all waits of a trace: memory that is new takes longer than the sums. */
interface Room {
  readonly before_ns: Float64Array;
  readonly bucket_ns: number;
  /** Of each wait the first that ends `bucket_ns` after it, or later. */
  readonly next: Int32Array;
}

/** Of so many waits the room is kept: 12 bytes for each. 50 M context switches have 34 M. */
const KEPT_WAITS = 40_000_000;
const rooms = new WeakMap<EndedWaits, Room>();

/** Room for sums over the waits of a trace, until there is another look at them. */
function roomFor(waits: EndedWaits, bucket_ns: number): Room {
  const { te } = waits;
  const known = rooms.get(waits);
  if (known?.bucket_ns === bucket_ns) return known;
  const before_ns = known?.before_ns ?? new Float64Array(te.length + 1);
  const next = known?.next ?? new Int32Array(te.length);
  findNext(te, te.length, bucket_ns, next);
  const room = { before_ns, bucket_ns, next };
  if (te.length <= KEPT_WAITS) rooms.set(waits, room);
  return room;
}

/** Of each end the first that is `bucket_ns` after it, or later. */
function findNext(ends: Float64Array, count: number, bucket_ns: number, into: Int32Array): void {
  for (let at = 0, next = 0; at < count; at++) {
    const until = (ends[at] ?? 0) + bucket_ns;
    // Without a branch, as how many end between one and the next looks like chance: mostly fewer than four.
    next +=
      Number((ends[next] ?? Infinity) < until) +
      Number((ends[next + 1] ?? Infinity) < until) +
      Number((ends[next + 2] ?? Infinity) < until);
    while (next < count && (ends[next] ?? 0) < until) next++;
    into[at] = next;
  }
}

/** Adds up the waits that pass, before each wait and at last of all; gives how many they are. */
function sumBefore(
  { waited_ns, longest_ns }: EndedWaits,
  from: number,
  to: number,
  at_least_ns: number,
  before_ns: Float64Array,
): number {
  let passed = 0;
  let sum_ns = 0;
  for (let row = from; row < to; row++) {
    before_ns[row] = sum_ns;
    // Without a branch, which a processor would often guess wrong.
    const passes = Number((longest_ns[row] ?? 0) >= at_least_ns);
    sum_ns += passes * (waited_ns[row] ?? 0);
    passed += passes;
  }
  before_ns[to] = sum_ns;
  return passed;
}

/** Only the waits that pass. */
function sparseLine(
  { te, waited_ns, longest_ns }: EndedWaits,
  from: number,
  to: number,
  bucket_ns: number,
  at_least_ns: number,
): Line {
  const rows: number[] = [];
  for (let row = from; row < to; row++) if ((longest_ns[row] ?? 0) >= at_least_ns) rows.push(row);
  const passed = rows.length;
  const ends = Float64Array.from(rows, (row) => te[row] ?? 0);
  const before_ns = new Float64Array(passed + 1);
  rows.forEach((row, at) => (before_ns[at + 1] = (before_ns[at] ?? 0) + (waited_ns[row] ?? 0)));
  const next = new Int32Array(passed);
  findNext(ends, passed, bucket_ns, next);
  const all = { longest_ns, at_least_ns: -Infinity };
  return { ends, ...all, from: 0, to: passed, next, before_ns, passed };
}

/** True where a wait passes that ended then. */
function hasEnd({ ends, longest_ns, at_least_ns, from, to }: Line, ts: number): boolean {
  for (let at = firstFrom(ends, from, to, ts); at < to && ends[at] === ts; at++)
    if ((longest_ns[at] ?? 0) >= at_least_ns) return true;
  return false;
}

/** The first from a place on that passes; `to` where none does. */
function firstPassing({ longest_ns, at_least_ns, to }: Line, from: number): number {
  let at = from;
  while (at < to && !((longest_ns[at] ?? 0) >= at_least_ns)) at++;
  return Math.min(at, to);
}

/** The moments of waits; `unseen` are the ends of those that began before the trace, rising. */
function cutIntoMoments(line: Line, unseen: readonly number[], bucket_ns: number): MomentSum[] {
  const moments: MomentSum[] = [];
  const { ends, next: nexts, before_ns, from, to } = line;
  const peaks = beginsOfPeaks(line, bucket_ns);
  let peak = peaks.next().value ?? Infinity;
  let nextUnseen = 0;
  for (let first = firstPassing(line, from); first < to;) {
    while (peak <= first) peak = peaks.next().value ?? Infinity;
    const ts = ends[first] ?? 0;
    const after = nexts[first] ?? to;
    const until = peak < after ? (ends[peak] ?? 0) : ts + bucket_ns;
    const next = peak < after ? peak : firstPassing(line, after);
    const next_ts = next < to ? (ends[next] ?? 0) : Infinity;
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
  readonly best: number;
  readonly best_ns: number;
}

/**
 * The ends that begin a moment which holds more than any that begins less than `bucket_ns` before it, and no less than
 * any that begins so soon after it. Found as they are asked for: what lies near is still at hand for the processor then.
 */
function* beginsOfPeaks(line: Line, bucket_ns: number): Generator<number, undefined> {
  const nears = bestOfNear(line);
  let before: Near | undefined;
  let near = nears.next().value;
  while (near !== undefined) {
    const after = nears.next().value;
    if (isPeak(line, bucket_ns, near, before, after)) yield near.best;
    [before, near] = [near, after];
  }
}

/** A moment that begins less than the length of one from the best of `near` is in `before` or in `after`. */
function isPeak(
  line: Line,
  bucket_ns: number,
  { first, best, best_ns }: Near,
  before: Near | undefined,
  after: Near | undefined,
): boolean {
  const { ends } = line;
  const ts = ends[best] ?? 0;
  if (before !== undefined && before.best_ns >= best_ns) {
    const reach = ts - bucket_ns;
    if ((ends[before.best] ?? 0) > reach) return false;
    if (mostHeld(line, firstFrom(ends, before.best, first, reach + 1), first) >= best_ns) return false;
  }
  if (after !== undefined && after.best_ns > best_ns) {
    const reach = ts + bucket_ns;
    if ((ends[after.best] ?? 0) < reach) return false;
    if (mostHeld(line, after.first, firstFrom(ends, after.first, after.best, reach)) > best_ns) return false;
  }
  return true;
}

/** Of ends that are near one another only the best may be a peak: these, in the order of time. */
function* bestOfNear(line: Line): Generator<Near, undefined> {
  const { from, to, next } = line;
  for (let first = firstPassing(line, from); first < to;) {
    const after = Math.min(next[first] ?? to, to);
    const best = bestHeld(line, first, after);
    yield { first, best, best_ns: heldFrom(line, best) };
    first = firstPassing(line, after);
  }
}

/** Of the ends from `first`, which passes, until before `after` the one that begins the moment which holds most: the first of equal ones. */
function bestHeld({ longest_ns, at_least_ns, next, before_ns }: Line, first: number, after: number): number {
  let best = first;
  let best_ns = (before_ns[next[first] ?? 0] ?? 0) - (before_ns[first] ?? 0);
  for (let at = first + 1; at < after; at++) {
    const held_ns = (before_ns[next[at] ?? 0] ?? 0) - (before_ns[at] ?? 0);
    if (held_ns <= best_ns || (longest_ns[at] ?? 0) < at_least_ns) continue;
    best = at;
    best_ns = held_ns;
  }
  return best;
}

/** What a moment holds that begins with an end. */
function heldFrom({ next, before_ns }: Line, at: number): number {
  return (before_ns[next[at] ?? 0] ?? 0) - (before_ns[at] ?? 0);
}

/** The most that is held by a moment which begins with one of the ends from `from` until before `to`. */
function mostHeld(line: Line, from: number, to: number): number {
  const first = firstPassing(line, from);
  return first < to ? heldFrom(line, bestHeld(line, first, to)) : -Infinity;
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
  const sums = filled(new Float64Array(moments.length), (at) => moments[at]?.waited_sum_ns ?? 0);
  const place = Math.max(0, sums.length - max_rows);
  // Only the one at this place is looked for: to sort all takes several times as long.
  const least_ns = quickselect(sums, place)[place] ?? 0;
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
