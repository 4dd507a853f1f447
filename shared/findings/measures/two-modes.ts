import type { Measure } from './index.ts';

/** Groups of lengths lie apart by a factor of so much at least. */
const FACTOR = 8;
/** Each group holds this part of the waits at least. */
const LEAST_SHARE = 0.1;
/** Fewer waits have no shape. */
const LEAST_WAITS = 50;

/** Threads whose ready waits are of two kinds: short ones and long ones, and none between that is less than 8 times as long as the one before. */
export const twoModes: Measure = {
  columns: [
    ...['utid', 'ts', 'dur', 'waits', 'long_waits'],
    ...['short_ns', 'long_ns', 'short_most_ns', 'long_least_ns', 'long_sum_ns'],
  ],
  async rows(recording) {
    const { waits } = await recording.read();
    const [ts, te, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    const waitsOf = waits.by('utid');
    const found: number[][] = [];
    for (const utid of new Set<number>(utids)) {
      const own = waitsOf(utid);
      if (own.length < LEAST_WAITS) continue;
      const lengths = new Float64Array(own.length);
      let [longest_ns, longest_ts] = [-1, 0];
      for (let wait = 0; wait < own.length; wait++) {
        const row = own[wait] ?? 0;
        const length_ns = (te[row] ?? 0) - (ts[row] ?? 0);
        lengths[wait] = length_ns;
        if (length_ns >= longest_ns) [longest_ns, longest_ts] = [length_ns, ts[row] ?? 0];
      }
      lengths.sort();
      const gap = widestGap(lengths);
      if (gap === null) continue;
      const long = lengths.subarray(gap);
      found.push([
        ...[utid, longest_ts, longest_ns, lengths.length, long.length],
        ...[middle(lengths.subarray(0, gap)), middle(long), lengths[gap - 1] ?? 0, lengths[gap] ?? 0],
        long.reduce((sum, ns) => sum + ns, 0),
      ]);
    }
    return found.sort((a, b) => (b.at(-1) ?? 0) - (a.at(-1) ?? 0));
  },
};

/** Where the long ones begin: at the widest step between two lengths, if both sides hold enough. */
function widestGap(sorted: Float64Array): number | null {
  let [at, widest] = [0, 0];
  const least = Math.ceil(sorted.length * LEAST_SHARE);
  for (let index = least; index <= sorted.length - least; index++) {
    const factor = (sorted[index] ?? 0) / Math.max(1, sorted[index - 1] ?? 0);
    if (factor > widest) [at, widest] = [index, factor];
  }
  return widest >= FACTOR ? at : null;
}

function middle(sorted: Float64Array): number {
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
