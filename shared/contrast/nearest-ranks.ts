import { quickselect } from 'd3';
import { nearestRank } from '../causes/index.ts';

/** Numbers that agree in the upper bits of a double stand in one bucket: its exponent and the first bits after it. */
const SHIFT = 14;
const BUCKETS = 2 ** (31 - SHIFT);

/** The bucket of NaN: no number stands in it. */
const NAN_BUCKET = 0x7ff8_0000 >>> SHIFT;

/** Percentiles, and of how many numbers. */
export interface Percentiles {
  readonly count: number;
  readonly values: readonly number[];
}

/**
 * Percentiles of numbers that are not negative, by nearest rank; 0 of no numbers. NaN stands for none. Of millions only those are sorted that
 * stand in one bucket with a percentile.
 */
export function percentiles(numbers: Float64Array, parts: readonly number[]): Percentiles {
  const counts = new Uint32Array(BUCKETS);
  // The upper half of each double: of numbers that are not negative it is in their order.
  const upper = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
  for (let at = 1; at < upper.length; at += 2) {
    const bucket = (upper[at] ?? 0) >>> SHIFT;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  const count = numbers.length - (counts[NAN_BUCKET] ?? 0);
  const wanted = parts.map((part) => {
    let [bucket, rank] = [0, nearestRank(count, part)];
    for (; bucket < BUCKETS && rank >= (counts[bucket] ?? 0); bucket++) rank -= counts[bucket] ?? 0;
    return { bucket, rank };
  });
  const inBucket = numbersIn(new Set(wanted.map(({ bucket }) => bucket)), numbers, upper, counts);
  const values = wanted.map(({ bucket, rank }) => quickselect(inBucket(bucket), rank)[rank] ?? 0);
  return { count, values };
}

/** The numbers that stand in some buckets; `upper` are the upper halves of all. */
function numbersIn(
  buckets: ReadonlySet<number>,
  numbers: Float64Array,
  upper: Uint32Array,
  counts: Uint32Array,
): (bucket: number) => Float64Array {
  /** By bucket: where its next number goes; -1 for a bucket that is not wanted. */
  const next = new Int32Array(BUCKETS).fill(-1);
  let count = 0;
  for (const bucket of buckets) {
    if (bucket >= BUCKETS || bucket === NAN_BUCKET) continue;
    next[bucket] = count;
    count += counts[bucket] ?? 0;
  }
  const found = new Float64Array(count);
  for (let at = 0; at < numbers.length; at++) {
    const bucket = (upper[2 * at + 1] ?? 0) >>> SHIFT;
    const place = next[bucket] ?? -1;
    if (place < 0) continue;
    found[place] = numbers[at] ?? 0;
    next[bucket] = place + 1;
  }
  return (bucket) => {
    const end = next[bucket] ?? -1;
    return end < 0 ? NO_NUMBERS : found.subarray(end - (counts[bucket] ?? 0), end);
  };
}

const NO_NUMBERS = new Float64Array(0);
