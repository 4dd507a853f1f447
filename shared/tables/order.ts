/** Bits that are sorted by at a time. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** Of times that are nearly in order so many moves are tried, for each time. */
const MOVES = 4;

/** The numbers of times, whole ns, in the order of these; equal times in the order of their numbers. */
export function orderOf(times: Float64Array): Uint32Array {
  const nearly = orderByMoves(times);
  if (nearly !== null) return nearly;
  const order = counted(times.length);
  let [least, greatest] = [Infinity, -Infinity];
  for (const time of times) {
    if (time < least) least = time;
    if (time > greatest) greatest = time;
  }
  // Digit by digit from the lowest on, in halves, since a number of 32 bits is looked at much faster than a double.
  const bits = bitsOf(greatest - least);
  const halves = [halfOf(times, least, 1), ...(bits > 32 ? [halfOf(times, least, 2 ** 32)] : [])];
  let [from, into] = [order, new Uint32Array(times.length)];
  for (const [at, half] of halves.entries())
    for (let shift = 0; shift < Math.min(32, bits - 32 * at); shift += DIGIT_BITS) {
      sortByDigit(half, shift, from, into);
      [from, into] = [into, from];
    }
  return from;
}

function counted(length: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(length);
  for (let index = 0; index < length; index++) numbers[index] = index;
  return numbers;
}

/** The order of times, each moved before the later ones that stand before it; null where that takes too many moves. */
function orderByMoves(times: Float64Array): Uint32Array | null {
  const sorted = times.slice();
  const order = counted(times.length);
  let moves = MOVES * Math.max(times.length, DIGITS);
  for (let index = 1; index < sorted.length; index++) {
    const time = sorted[index] ?? 0;
    let at = index - 1;
    for (; at >= 0 && (sorted[at] ?? 0) > time; at--) {
      sorted[at + 1] = sorted[at] ?? 0;
      order[at + 1] = order[at] ?? 0;
    }
    if (at === index - 1) continue;
    sorted[at + 1] = time;
    order[at + 1] = index;
    moves -= index - at - 1;
    if (moves < 0) return null;
  }
  return order;
}

/** The lowest 32 bits of the times since `least`, in so many ns. */
function halfOf(times: Float64Array, least: number, unit: number): Uint32Array {
  const half = new Uint32Array(times.length);
  for (let index = 0; index < half.length; index++) half[index] = ((times[index] ?? 0) - least) / unit;
  return half;
}

/** How many bits a number has before the point. */
function bitsOf(number: number): number {
  return number < 1 ? 0 : Math.floor(Math.log2(number)) + 1;
}

function sortByDigit(keys: Uint32Array, shift: number, from: Uint32Array, into: Uint32Array): void {
  const next = new Uint32Array(DIGITS);
  for (const key of keys) {
    const digit = (key >>> shift) & (DIGITS - 1);
    next[digit] = (next[digit] ?? 0) + 1;
  }
  let at = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = next[digit] ?? 0;
    next[digit] = at;
    at += count;
  }
  for (const index of from) {
    const digit = ((keys[index] ?? 0) >>> shift) & (DIGITS - 1);
    const place = next[digit] ?? 0;
    into[place] = index;
    next[digit] = place + 1;
  }
}
