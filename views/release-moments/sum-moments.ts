import type { EndedWaits } from './ended-waits.ts';
import type { StepPeak } from './model.ts';

/** The waiting that ended in one moment. */
export interface MomentSum {
  /** The moment's number: its time divided by the length of moments. */
  readonly bucket: number;
  waited_sum_ns: number;
  at_least: boolean;
}

/** Moments up to here have a place each; beyond, they are looked up. */
const MAX_PLACES = 4_000_000;

/** Adds up, by moments of `bucket_ns`, the waits that were blocked or ready for `at_least_ns` or more. */
export function sumMoments(
  ended: EndedWaits,
  bucket_ns: number,
  at_least_ns: number,
): { readonly waits: number; readonly moments: readonly MomentSum[] } {
  const moments: MomentSum[] = [];
  const placeOf = places(ended, bucket_ns);
  let waits = 0;
  forEachWait(ended, at_least_ns, (te, waited_ns, at_least) => {
    waits++;
    const bucket = Math.floor(te / bucket_ns);
    const place = placeOf(bucket, moments.length);
    const moment = moments[place];
    if (moment === undefined) moments.push({ bucket, waited_sum_ns: waited_ns, at_least });
    else {
      moment.waited_sum_ns += waited_ns;
      moment.at_least ||= at_least;
    }
  });
  return { waits, moments };
}

/** Gives each bucket its place: the one it has, or else the next. */
function places(
  { te, sinceStart_ns }: EndedWaits,
  bucket_ns: number,
): (bucket: number, next: number) => number {
  let [first, last] = [Infinity, -Infinity];
  const widen = (at: number) => {
    if (at < first) first = at;
    if (at > last) last = at;
  };
  te.forEach(widen);
  for (const at of sinceStart_ns.keys()) widen(at);
  if (first > last) return (_bucket, next) => next;
  const offset = Math.floor(first / bucket_ns);
  const count = Math.floor(last / bucket_ns) - offset + 1;
  if (count > MAX_PLACES) {
    const known = new Map<number, number>();
    return (bucket, next) => {
      const place = known.get(bucket) ?? next;
      if (place === next) known.set(bucket, next);
      return place;
    };
  }
  const known = new Int32Array(count).fill(-1);
  return (bucket, next) => {
    const place = known[bucket - offset] ?? -1;
    if (place >= 0) return place;
    known[bucket - offset] = next;
    return next;
  };
}

/** When the waits of some moments ended: of those that began before the trace, and of all others. */
export function endsIn(
  ended: EndedWaits,
  moments: readonly MomentSum[],
  bucket_ns: number,
  at_least_ns: number,
): { readonly ends: readonly number[]; readonly since_start: readonly number[] } {
  const buckets = new Set(moments.map(({ bucket }) => bucket));
  const ends: number[] = [];
  const since_start: number[] = [];
  forEachWait(ended, at_least_ns, (te, _waited_ns, at_least) => {
    if (buckets.has(Math.floor(te / bucket_ns))) (at_least ? since_start : ends).push(te);
  });
  return { ends, since_start };
}

/** The waits that were blocked or ready for `at_least_ns` or more. */
function forEachWait(
  { te, blocked_ns, ready_ns, sinceStart_ns }: EndedWaits,
  at_least_ns: number,
  use: (te: number, waited_ns: number, at_least: boolean) => void,
): void {
  for (let row = 0; row < te.length; row++) {
    const blocked = blocked_ns[row] ?? 0;
    const ready = ready_ns[row] ?? 0;
    if (blocked < at_least_ns && ready < at_least_ns) continue;
    const at = te[row] ?? 0;
    if (!sinceStart_ns.has(at)) use(at, blocked + ready, false);
  }
  for (const [at, waited_ns] of sinceStart_ns) if (waited_ns >= at_least_ns) use(at, waited_ns, true);
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
