import { orderOf } from '../tables/index.ts';

/** Bits that are sorted by at a time at most: of more the counts would take long to go through. */
const DIGIT_BITS_MAX = 11;
/** Lengths below this, in ns, are numbers of 32 bits, which are sorted much faster than doubles. */
const WIDE_NS = 2 ** 32;

/** Memory that is used for one sort after the other: new memory would take as long as to sort. */
let lanes = lanesFor(0);

function lanesFor(count: number) {
  const lane = () => ({ keys: new Uint32Array(count), marks: new Uint8Array(count) });
  return { count, one: lane(), other: lane() };
}

/** Puts lengths in their order, in whole ns from 0 on, and with each its mark. Of equal lengths the first stays the first. */
export function sortLengths(lengths: Float64Array, marks: Uint8Array): void {
  const greatest = greatestOf(lengths);
  if (greatest >= WIDE_NS) {
    sortWide(lengths, marks);
    return;
  }
  if (lanes.count < lengths.length) lanes = lanesFor(Math.ceil(1.25 * lengths.length));
  let { one: from, other: into } = lanes;
  copyToKeys(lengths, from.keys);
  from.marks.set(marks);
  const bits = 32 - Math.clz32(greatest);
  const digitBits = Math.ceil(bits / Math.ceil(bits / DIGIT_BITS_MAX));
  for (let shift = 0; shift < bits; shift += digitBits) {
    sortByDigit(from, into, lengths.length, shift, digitBits);
    [from, into] = [into, from];
  }
  copyToLengths(from.keys, lengths);
  marks.set(from.marks.subarray(0, lengths.length));
}

// Loops of their own: code that goes on after a loop would be given up at the end of each loop.

function copyToKeys(lengths: Float64Array, keys: Uint32Array): void {
  for (let at = 0; at < lengths.length; at++) keys[at] = lengths[at] ?? 0;
}

function copyToLengths(keys: Uint32Array, lengths: Float64Array): void {
  for (let at = 0; at < lengths.length; at++) lengths[at] = keys[at] ?? 0;
}

type Lane = (typeof lanes)['one'];

function sortByDigit(from: Lane, into: Lane, count: number, shift: number, digitBits: number): void {
  const { keys, marks } = from;
  const { keys: keysInto, marks: marksInto } = into;
  const mask = (1 << digitBits) - 1;
  const next = countDigits(keys, count, shift, mask);
  for (let at = 0; at < count; at++) {
    const key = keys[at] ?? 0;
    const digit = (key >>> shift) & mask;
    const place = next[digit] ?? 0;
    keysInto[place] = key;
    marksInto[place] = marks[at] ?? 0;
    next[digit] = place + 1;
  }
}

/** Where the first key of each digit goes. */
function countDigits(keys: Uint32Array, count: number, shift: number, mask: number): Uint32Array {
  const next = new Uint32Array(mask + 2);
  for (let at = 0; at < count; at++) {
    const after = (((keys[at] ?? 0) >>> shift) & mask) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let digit = 1; digit < next.length; digit++) next[digit] = (next[digit] ?? 0) + (next[digit - 1] ?? 0);
  return next;
}

function sortWide(lengths: Float64Array, marks: Uint8Array): void {
  const [ownLengths, ownMarks] = [lengths.slice(), marks.slice()];
  orderOf(ownLengths).forEach((from, at) => {
    lengths[at] = ownLengths[from] ?? 0;
    marks[at] = ownMarks[from] ?? 0;
  });
}

function greatestOf(lengths: Float64Array): number {
  let greatest = 0;
  for (let at = 0; at < lengths.length; at++) {
    const length = lengths[at] ?? 0;
    if (length > greatest) greatest = length;
  }
  return greatest;
}
