import { nearestRank } from '../causes/index.ts';

/** Numbers that agree in the upper bits of a double stand in one bucket: its exponent and the first bits after it. */
const SHIFT = 14;
const BUCKETS = 2 ** (31 - SHIFT);

/**
 * Percentiles of numbers that are not negative, by nearest rank; 0 of no numbers. Of millions only those are sorted that stand in one bucket
 * with a percentile.
 */
export function percentiles(values: Float64Array, parts: readonly number[]): number[] {
  const counts = new Uint32Array(BUCKETS);
  // The upper half of each double: of numbers that are not negative it is in their order.
  const upper = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  for (let at = 1; at < upper.length; at += 2) {
    const bucket = (upper[at] ?? 0) >>> SHIFT;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return parts.map((part) => {
    let [bucket, rank] = [0, nearestRank(values.length, part)];
    for (; bucket < BUCKETS && rank >= (counts[bucket] ?? 0); bucket++) rank -= counts[bucket] ?? 0;
    const beside = new Float64Array(counts[bucket] ?? 0);
    let count = 0;
    for (let at = 0; at < values.length && count < beside.length; at++)
      if ((upper[2 * at + 1] ?? 0) >>> SHIFT === bucket) beside[count++] = values[at] ?? 0;
    return beside.sort()[rank] ?? 0;
  });
}
