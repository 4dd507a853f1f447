import type { RowNumbers } from './rows.ts';

/** Into so many parts the whole time is cut; what is in one is sorted by itself. */
const BUCKETS = 1 << 16;

/** The numbers of some times in their order. Times that are nearly in order take no longer than times that are. */
export function inTimeOrder(times: RowNumbers): Uint32Array {
  let [least, greatest] = [Infinity, -Infinity];
  // By their numbers: an iterator would put each on the heap.
  for (let index = times.length - 1; index >= 0; index--) {
    const time = times[index] ?? 0;
    if (time < least) least = time;
    if (time > greatest) greatest = time;
  }
  const scale = (BUCKETS - 1) / Math.max(1, greatest - least);
  const bucketOf = (index: number) => Math.floor(((times[index] ?? 0) - least) * scale);
  const offsets = new Uint32Array(BUCKETS + 1);
  for (let index = 0; index < times.length; index++) {
    const next = bucketOf(index) + 1;
    offsets[next] = (offsets[next] ?? 0) + 1;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++)
    offsets[bucket + 1] = (offsets[bucket + 1] ?? 0) + (offsets[bucket] ?? 0);
  const filled = offsets.slice();
  const order = new Uint32Array(times.length);
  for (let index = 0; index < times.length; index++) {
    const bucket = bucketOf(index);
    const place = filled[bucket] ?? 0;
    order[place] = index;
    filled[bucket] = place + 1;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const own = order.subarray(offsets[bucket], offsets[bucket + 1]);
    if (!isInOrder(own, times)) own.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  }
  return order;
}

function isInOrder(indexes: Uint32Array, times: RowNumbers): boolean {
  for (let at = 1; at < indexes.length; at++)
    if ((times[indexes[at] ?? 0] ?? 0) < (times[indexes[at - 1] ?? 0] ?? 0)) return false;
  return true;
}
