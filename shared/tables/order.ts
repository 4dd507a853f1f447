/** Bits that are sorted by at a time. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** So few are sorted faster by comparing them. */
const FEW = 256;

/** The numbers of times, whole ns, in the order of these; equal times in the order of their numbers. */
export function orderOf(times: Float64Array): Uint32Array {
  const order = new Uint32Array(times.length);
  for (let index = 0; index < order.length; index++) order[index] = index;
  if (times.length <= FEW) return order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  let [least, greatest] = [Infinity, -Infinity];
  for (const time of times) {
    if (time < least) least = time;
    if (time > greatest) greatest = time;
  }
  // Digit by digit from the lowest on, in halves, since a number of 32 bits is looked at much faster than a double.
  const [low, high] = [new Uint32Array(times.length), new Uint32Array(times.length)];
  for (let index = 0; index < order.length; index++) {
    const since = (times[index] ?? 0) - least;
    high[index] = since / 2 ** 32;
    low[index] = since;
  }
  const [bits, highBits] = [bitsOf(greatest - least), bitsOf((greatest - least) / 2 ** 32)];
  let [from, into] = [order, new Uint32Array(times.length)];
  for (const [half, most] of [
    [low, Math.min(32, bits)],
    [high, highBits],
  ] as const)
    for (let shift = 0; shift < most; shift += DIGIT_BITS) {
      sortByDigit(half, shift, from, into);
      [from, into] = [into, from];
    }
  return from;
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
