import type { TimeRange } from '../../shared/view/index.ts';

/** Buckets over a range that is too short for the steps of `etw_cpu_time`. */
const BUCKETS = 300;
/** So many whole steps at least make a picture of their own. */
const STEPS_MIN = 128;

/** How a range is cut into buckets of time. */
export interface Buckets {
  /** The bounds of the buckets, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  /** The stretch whose buckets are steps of `etw_cpu_time`; null where all are summed from runs. */
  readonly steps: TimeRange | null;
}

/**
 * Cuts `range` into buckets. A long range takes the steps of `step_ns` from `origin_ns` that `etw_cpu_time` has sums of,
 * with a shorter bucket at either end; any other gets 300 buckets of one length. Bounds are whole ns.
 */
export function cutIntoBuckets(range: TimeRange, origin_ns: number, step_ns: number | null): Buckets {
  const start = Math.floor(range.start);
  const end = Math.max(start + 1, Math.ceil(range.end));
  if (step_ns !== null) {
    const first = origin_ns + Math.ceil((start - origin_ns) / step_ns) * step_ns;
    const after = origin_ns + Math.floor((end - origin_ns) / step_ns) * step_ns;
    if ((after - first) / step_ns >= STEPS_MIN) {
      return {
        edges: [...new Set([start, ...edgesBetween(first, after, step_ns), end])],
        steps: { start: first, end: after },
      };
    }
  }
  return { edges: edgesBetween(start, end, Math.ceil((end - start) / BUCKETS)), steps: null };
}

/** The bounds of buckets of `length_ns` from `start` to `end`; the last may be shorter. */
function edgesBetween(start: number, end: number, length_ns: number): number[] {
  const edges = [];
  for (let edge = start; edge < end; edge += length_ns) edges.push(edge);
  return [...edges, end];
}
