import { filled, firstFrom, type Stretch } from '../tables/index.ts';
import { cutIntoMoments } from './cut-moments.ts';
import type { EndedWaits } from './ended-waits.ts';
import { MomentColumns, type MomentSum } from './moment-columns.ts';
import { findNextEnds, hasNextEnds, nextEndsOf } from './next-ends.ts';
import { WaitsAtHand } from './waits-at-hand.ts';

/** The moments of some waits, in the order of time. */
export interface MomentSums {
  /** How many waits are counted. */
  readonly waits: number;
  readonly moments: MomentColumns;
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
  const { te, longest_ns } = waits;
  const from = firstFrom(te, 0, te.length, range.start);
  const to = firstFrom(te, from, te.length, range.end);
  // The first look finds what later ones share.
  if (!hasNextEnds(waits)) nextEndsOf(waits, bucket_ns);
  const areFew = passingOfSome(longest_ns, from, to, at_least_ns) * DENSE < 1;
  const looked = areFew ? passingWaits(waits, from, to, at_least_ns) : waits;
  const next = areFew ? findNextEnds(looked.te, bucket_ns) : nextEndsOf(waits, bucket_ns);
  const atHand = new WaitsAtHand(looked, next, range, at_least_ns);
  const moments = new MomentColumns(looked.te, bucket_ns);
  cutIntoMoments(atHand, bucket_ns, moments);
  noteUnseen(looked, range, at_least_ns, moments);
  return {
    waits: atHand.passed,
    moments,
    endsIn: ({ ts, dur }) => {
      const first = firstFrom(te, from, to, ts);
      const next = firstFrom(te, first, to, ts + dur);
      return [...te.subarray(first, next)].filter((_, at) => (longest_ns[first + at] ?? 0) >= at_least_ns);
    },
  };
}

/** Where fewer pass, of so many each, they are put together first. */
const DENSE = 32;

/** So many of the waits at most tell whether few pass: each comes from memory. */
const LOOKED_AT = 20_000;

/** The part of waits that passes, by some of them. */
function passingOfSome(longest_ns: Float64Array, from: number, to: number, at_least_ns: number): number {
  const step = Math.ceil((to - from) / LOOKED_AT) + 1;
  let [looked, passed] = [0, 0];
  for (let row = from; row < to; row += step) {
    looked++;
    if ((longest_ns[row] ?? 0) >= at_least_ns) passed++;
  }
  return looked === 0 ? 0 : passed / looked;
}

/** Only the waits that pass. */
function passingWaits(
  { te, waited_ns, longest_ns, since_start }: EndedWaits,
  from: number,
  to: number,
  at_least_ns: number,
): EndedWaits {
  const rows: number[] = [];
  for (let row = from; row < to; row++) if ((longest_ns[row] ?? 0) >= at_least_ns) rows.push(row);
  const of = (column: Float64Array) =>
    filled(new Float64Array(rows.length), (at) => column[rows[at] ?? 0] ?? 0);
  return { te: of(te), waited_ns: of(waited_ns), longest_ns: of(longest_ns), since_start };
}

/** Notes the moments of waits that began before the trace. */
function noteUnseen(
  { te, longest_ns, since_start }: EndedWaits,
  { start, end }: Stretch,
  at_least_ns: number,
  moments: MomentColumns,
): void {
  for (const ts of since_start) {
    if (ts < start || ts >= end) continue;
    for (let row = firstFrom(te, 0, te.length, ts); te[row] === ts; row++)
      if ((longest_ns[row] ?? 0) >= at_least_ns) moments.noteAtLeast(row);
  }
}

/** The longest of some lengths, largest first, that no more than `max_waits` waits have; the first where even it is too short. */
export function leastLength(
  { longest_ns }: Pick<EndedWaits, 'longest_ns'>,
  lengths_ns: readonly number[],
  max_waits: number,
): number {
  const counts = new Float64Array(lengths_ns.length);
  // The lengths before this one are not known to be those of too many.
  let asked = lengths_ns.length;
  let least_ns = lengths_ns[asked - 1] ?? Infinity;
  for (let wait = 0; wait < longest_ns.length; wait++) {
    const longest = longest_ns[wait] ?? 0;
    // Soon nearly all are shorter.
    if (longest < least_ns) continue;
    for (let length = asked - 1; length >= 0 && longest >= (lengths_ns[length] ?? 0); length--)
      counts[length] = (counts[length] ?? 0) + 1;
    while (asked > 0 && (counts[asked - 1] ?? 0) > max_waits) asked--;
    least_ns = lengths_ns[asked - 1] ?? Infinity;
  }
  return lengths_ns[Math.max(0, asked - 1)] ?? 0;
}
