import type { TimeRange } from '../../shared/view/index.ts';
import type { EndedWaits } from './ended-waits.ts';
import type { StepPeak } from './model.ts';
import { Places } from './places.ts';

/** The waiting that ended in one moment. */
export interface MomentSum {
  /** The moment's number: its time divided by the length of moments. */
  readonly bucket: number;
  readonly waited_sum_ns: number;
  readonly at_least: boolean;
}

/** The moments of some waits. */
export interface MomentSums {
  /** How many waits are counted. */
  readonly waits: number;
  readonly moments: readonly MomentSum[];
  /** When the waits of some of the moments ended: of those that began before the trace, and of all others. */
  readonly endsIn: (some: readonly MomentSum[]) => {
    readonly ends: readonly number[];
    readonly since_start: readonly number[];
  };
}

/** Adds up, by moments of `bucket_ns`, the waits that ended in `range` and were blocked or ready for `at_least_ns` or more. */
export function sumMoments(
  { te, blocked_ns, ready_ns, apart }: EndedWaits,
  { start, end }: TimeRange,
  bucket_ns: number,
  at_least_ns: number,
): MomentSums {
  const places = new Places({ start, end }, bucket_ns);
  const buckets: number[] = [];
  const sums_ns: number[] = [];
  const add = (at: number, waited_ns: number): number => {
    const bucket = Math.floor(at / bucket_ns);
    const place = places.of(bucket);
    if (place >= 0) {
      sums_ns[place] = (sums_ns[place] ?? 0) + waited_ns;
      return place;
    }
    places.set(bucket, buckets.length);
    sums_ns.push(waited_ns);
    return buckets.push(bucket) - 1;
  };
  let waits = 0;
  // A plain loop over columns: there are millions of waits, and they are added up at each change of a filter.
  const placeOf = new Int32Array(te.length).fill(-1);
  for (let row = 0; row < te.length; row++) {
    const blocked = blocked_ns[row] ?? 0;
    const ready = ready_ns[row] ?? 0;
    if (blocked < at_least_ns && ready < at_least_ns) continue;
    const at = te[row] ?? NaN;
    if (!(at >= start && at < end)) continue;
    placeOf[row] = add(at, blocked + ready);
    waits++;
  }
  const others = apart
    .filter(({ te: at, longest_ns }) => longest_ns >= at_least_ns && at >= start && at < end)
    .map((wait) => ({ ...wait, place: add(wait.te, wait.waited_ns) }));
  const open = new Set(others.filter(({ at_least }) => at_least).map(({ place }) => place));
  const moments = buckets.map((bucket, place) => ({
    bucket,
    waited_sum_ns: sums_ns[place] ?? 0,
    at_least: open.has(place),
  }));
  return {
    waits: waits + others.length,
    moments,
    endsIn: (some) => {
      const isWanted = new Uint8Array(buckets.length);
      for (const { bucket } of some) isWanted[places.of(bucket)] = 1;
      const ends: number[] = [];
      for (let row = 0; row < te.length; row++) {
        const place = placeOf[row] ?? -1;
        if (place >= 0 && isWanted[place] === 1) ends.push(te[row] ?? 0);
      }
      const wanted = others.filter(({ place }) => isWanted[place] === 1);
      return {
        ends: [...ends, ...wanted.filter(({ at_least }) => !at_least).map(({ te: at }) => at)],
        since_start: wanted.filter(({ at_least }) => at_least).map(({ te: at }) => at),
      };
    },
  };
}

/** The longest of some lengths, largest first, that no more than `max_waits` waits have; the first where even it is too short. */
export function leastLength(
  { te, blocked_ns, ready_ns, apart }: EndedWaits,
  lengths_ns: readonly number[],
  max_waits: number,
): number {
  const rising = [...lengths_ns].reverse();
  const counts = new Float64Array(rising.length + 1);
  const count = (longest_ns: number) => {
    let passed = 0;
    while (passed < rising.length && longest_ns >= (rising[passed] ?? 0)) passed++;
    counts[passed] = (counts[passed] ?? 0) + 1;
  };
  for (let row = 0; row < te.length; row++) {
    if (!Number.isNaN(te[row])) count(Math.max(blocked_ns[row] ?? 0, ready_ns[row] ?? 0));
  }
  for (const { longest_ns } of apart) count(longest_ns);
  let waits = 0;
  let least_ns = lengths_ns[0] ?? 0;
  for (let passed = rising.length; passed > 0; passed--) {
    waits += counts[passed] ?? 0;
    if (waits > max_waits) break;
    least_ns = rising[passed - 1] ?? 0;
  }
  return least_ns;
}

/** The moments in which most waiting ended, most first. */
export function greatest(moments: readonly MomentSum[], max_rows: number): readonly MomentSum[] {
  const sums = Float64Array.from(moments, ({ waited_sum_ns }) => waited_sum_ns).sort();
  const least_ns = sums[Math.max(0, sums.length - max_rows)] ?? 0;
  return moments
    .filter(({ waited_sum_ns }) => waited_sum_ns >= least_ns)
    .sort((a, b) => b.waited_sum_ns - a.waited_sum_ns || a.bucket - b.bucket)
    .slice(0, max_rows);
}

/** The most waiting that ended in one moment, for each step of time that has any. */
export function peaksOf(
  moments: readonly MomentSum[],
  bucket_ns: number,
  step_ns: number,
  range_start: number,
): readonly StepPeak[] {
  const best = new Map<number, MomentSum>();
  for (const moment of moments) {
    const step = Math.trunc((moment.bucket * bucket_ns - range_start) / step_ns);
    const before = best.get(step);
    if (before === undefined || moment.waited_sum_ns > before.waited_sum_ns) best.set(step, moment);
  }
  return [...best]
    .sort(([a], [b]) => a - b)
    .map(([step, { waited_sum_ns, at_least }]) => ({
      ts: range_start + step * step_ns,
      dur: step_ns,
      waited_sum_ns,
      at_least,
    }));
}
