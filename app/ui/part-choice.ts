import type { TracePart } from '../host/api.ts';
import type { TraceOverview } from '../host/overview.ts';

/** What is chosen of a trace that is too large: a range, in ns after the recording's start, and kinds left out. */
export interface PartChoice {
  readonly from_ns: number;
  readonly to_ns: number;
  readonly skip: readonly string[];
}

/** Context switches in the choice, by the part of each bucket that the range covers. */
export function estimateSwitches({ timeline }: TraceOverview, { from_ns, to_ns, skip }: PartChoice): number {
  if (skip.includes('scheduling')) return 0;
  const { bucket_ns } = timeline;
  const within = (start: number): number =>
    Math.max(0, Math.min(to_ns, start + bucket_ns) - Math.max(from_ns, start)) / bucket_ns;
  const counts = timeline.context_switches.map((count, bucket) => count * within(bucket * bucket_ns));
  return Math.round(counts.reduce((sum, count) => sum + count, 0));
}

/** A choice that fits with room to spare: the start of the trace, as far as nine tenths of the limit reach. */
export function firstChoice(overview: TraceOverview): PartChoice {
  const { timeline, limit, duration_ns } = overview;
  let left = limit * 0.9;
  let whole = 0;
  for (const count of timeline.context_switches) {
    if (count > left) break;
    left -= count;
    whole += 1;
  }
  const next = timeline.context_switches[whole] ?? 0;
  const share = next === 0 ? 0 : left / next;
  return {
    from_ns: 0,
    to_ns: Math.min(duration_ns, Math.floor((whole + share) * timeline.bucket_ns)),
    skip: [],
  };
}

/** The choice as the host takes it; what is not limited is left open. */
export function partOf({ duration_ns }: TraceOverview, { from_ns, to_ns, skip }: PartChoice): TracePart {
  return {
    from: from_ns <= 0 ? null : `${Math.floor(from_ns)}ns`,
    to: to_ns >= duration_ns ? null : `${Math.ceil(to_ns)}ns`,
    only: [],
    skip,
  };
}
