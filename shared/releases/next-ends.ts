import type { EndedWaits } from './ended-waits.ts';

/** So many ends are looked at together at first: a processor's cache holds them. */
const CAPACITY = 4096;
/** The next end is looked for among so many without a branch: mostly fewer lie between one and the next. */
const LOOKED_AT = 4;
/** Ends that are looked at together lie within so many ticks, and a length has fewer than twice as many: 31 bits hold the sum. */
const MOST_TICKS = 2 ** 29;
const NEVER = 2 ** 31 - 1;

/** Kept of the length that was looked for last: 4 bytes a wait. It is the same for any range and any least length of waits. */
const kept = new WeakMap<EndedWaits, { readonly length_ns: number; readonly next: Int32Array }>();

/** The next ends of all waits of a trace, as {@link findNextEnds} finds them. */
export function nextEndsOf(waits: EndedWaits, length_ns: number): Int32Array {
  const known = kept.get(waits);
  if (known?.length_ns === length_ns) return known.next;
  const next = findNextEnds(waits.te, length_ns, known?.next);
  kept.set(waits, { length_ns, next });
  return next;
}

/** Whether next ends are kept, of whatever length. */
export function hasNextEnds(waits: EndedWaits): boolean {
  return kept.has(waits);
}

/** Finds of each end the first that lies `length_ns` after it, or later: the number of ends where there is none. Gives `into`. */
export function findNextEnds(
  ends: Float64Array,
  length_ns: number,
  into: Int32Array = new Int32Array(ends.length),
): Int32Array {
  let ticks = new Int32Array(CAPACITY + LOOKED_AT);
  for (let from = 0; from < ends.length;) {
    const some = ends.subarray(from, from + ticks.length - LOOKED_AT);
    const isLast = from + some.length === ends.length;
    const found = findAmong(some, length_ns, isLast, ticks, from, into);
    from += found;
    // Of most that are looked at the next one should be found.
    if (2 * found < some.length) ticks = new Int32Array(2 * ticks.length);
  }
  return into;
}

/** Finds the next of the first ones of some ends, as far as it is one of them; gives of how many. `offset` ends lie before these. */
function findAmong(
  ends: Float64Array,
  length_ns: number,
  isLast: boolean,
  ticks: Int32Array,
  offset: number,
  into: Int32Array,
): number {
  const count = ends.length;
  const span_ns = (ends[count - 1] ?? 0) - (ends[0] ?? 0);
  const tick_ns = 2 ** Math.max(0, Math.ceil(Math.log2(span_ns / MOST_TICKS)));
  toTicks(ends, 1 / tick_ns, ticks);
  ticks.fill(NEVER, count, count + LOOKED_AT);
  const ticks_of_length = Math.min(Math.floor(length_ns / tick_ns), 2 * MOST_TICKS - 1);
  let next = 0;
  for (let at = 0; at < count; at++) {
    const until = ((ticks[at] ?? 0) + ticks_of_length) | 0;
    // Without a branch: the highest bit of a difference is its sign.
    next =
      (next +
        (((ticks[next] ?? 0) - until) >>> 31) +
        (((ticks[next + 1] ?? 0) - until) >>> 31) +
        (((ticks[next + 2] ?? 0) - until) >>> 31) +
        (((ticks[next + 3] ?? 0) - until) >>> 31)) |
      0;
    // Of times so near to one another ticks do not tell which is the first.
    while ((ticks[next] ?? 0) <= until + 1 && (ends[next] ?? 0) < (ends[at] ?? 0) + length_ns) next++;
    if (next === count && !isLast) return at;
    into[offset + at] = offset + next;
  }
  return count;
}

/** Whole numbers are compared without a branch, which a processor would often guess wrong. */
function toTicks(ends: Float64Array, ticks_of_ns: number, ticks: Int32Array): void {
  const first = ends[0] ?? 0;
  for (let at = 0; at < ends.length; at++) ticks[at] = ((ends[at] ?? 0) - first) * ticks_of_ns;
}
