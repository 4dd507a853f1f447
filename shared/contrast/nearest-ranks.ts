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
  const values = parts.map((part) => {
    let [bucket, rank] = [0, nearestRank(count, part)];
    for (; bucket < BUCKETS && rank >= (counts[bucket] ?? 0); bucket++) rank -= counts[bucket] ?? 0;
    const beside = new Float64Array(bucket === NAN_BUCKET ? 0 : (counts[bucket] ?? 0));
    let found = 0;
    for (let at = 0; at < numbers.length && found < beside.length; at++)
      if ((upper[2 * at + 1] ?? 0) >>> SHIFT === bucket) beside[found++] = numbers[at] ?? 0;
    return quickselect(beside, rank)[rank] ?? 0;
  });
  return { count, values };
}
