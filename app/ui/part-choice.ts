import type { TracePart } from '../host/api.ts';
import type { TraceOverview } from '../host/overview.ts';
import type { TimeRange } from '../../shared/view/index.ts';

/** What is chosen of a trace that is too large: a range, in ns after the recording's start, and kinds left out. */
export interface PartChoice {
  readonly from_ns: number;
  readonly to_ns: number;
  readonly skip: readonly string[];
}

/** What the choice takes of the engine's memory in bytes, by the part of each bucket that the range covers. */
export function estimateBytes(overview: TraceOverview, { from_ns, to_ns, skip }: PartChoice): number {
  const { bucket_ns } = overview.timeline;
  const within = (start: number): number =>
    Math.max(0, Math.min(to_ns, start + bucket_ns) - Math.max(from_ns, start)) / bucket_ns;
  const bytes = bucketBytes(overview, skip).map((each, bucket) => each * within(bucket * bucket_ns));
  return Math.round(sum(bytes));
}

/** A choice that fits with room to spare: the start of the trace, as far as nine tenths of the limit reach. */
export function firstChoice(overview: TraceOverview): PartChoice {
  const { timeline, limit_bytes, duration_ns } = overview;
  const buckets = bucketBytes(overview, []);
  let left = limit_bytes * 0.9;
  let whole = 0;
  for (const bytes of buckets) {
    if (bytes > left) break;
    left -= bytes;
    whole += 1;
  }
  const next = buckets[whole] ?? 0;
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

/** A part in words: `36.000 s to 48.000 s, without generic`. */
export function partLabel({ from, to, only, skip }: TracePart): string {
  const [start, end] = [from, to].map((time) => {
    const ns = afterStart(time);
    return ns === null ? time : `${(ns / 1e9).toFixed(3)} s`;
  });
  return [
    start === null ? null : end === null ? `from ${start}` : `${start} to ${end}`,
    start === null && end !== null ? `up to ${end}` : null,
    only.length === 0 ? null : `only ${only.join(', ')}`,
    skip.length === 0 ? null : `without ${skip.join(', ')}`,
  ]
    .filter((each) => each !== null)
    .join(', ');
}

/** The range that a part covers, in ns on the trace's clock; null where it has no start of its own. */
export function partRange({ from, to }: TracePart, whole: TimeRange): TimeRange | null {
  const [start, end] = [afterStart(from), afterStart(to)];
  if (start === null) return null;
  return {
    start: whole.start + start,
    end: end === null ? whole.end : Math.min(whole.end, whole.start + end),
  };
}

/** The ns of an edge that is written as {@link partOf} does; null for any other. */
function afterStart(time: string | null): number | null {
  const ns = /^(\d+)ns$/.exec(time ?? '')?.[1];
  return ns === undefined ? null : Number(ns);
}

/**
 * What the events of each bucket take of the engine's memory: scheduling goes by the context switches, all else by the
 * other events, since the converter counts no finer.
 */
function bucketBytes({ timeline, choices }: TraceOverview, skip: readonly string[]): number[] {
  const scheduling = choices.filter(({ kind }) => kind === 'scheduling');
  const switches = sum(timeline.context_switches);
  const eventsPerSwitch = switches === 0 ? 0 : sum(scheduling.map(({ count }) => count)) / switches;
  const others = timeline.events.map((events, bucket) =>
    Math.max(0, events - eventsPerSwitch * (timeline.context_switches[bucket] ?? 0)),
  );
  const bytesOf = (kinds: TraceOverview['choices']): number =>
    sum(kinds.filter(({ kind }) => !skip.includes(kind)).map(({ engine_bytes }) => engine_bytes));
  const switchBytes = bytesOf(scheduling);
  const otherBytes = bytesOf(choices.filter(({ kind }) => kind !== 'scheduling'));
  const switchShare = shares(timeline.context_switches);
  const otherShare = shares(others);
  return timeline.events.map(
    (_, bucket) => switchBytes * (switchShare[bucket] ?? 0) + otherBytes * (otherShare[bucket] ?? 0),
  );
}

/** Each number's share of their sum; equal shares of nothing. */
function shares(numbers: readonly number[]): number[] {
  const all = sum(numbers);
  return numbers.map((each) => (all === 0 ? 1 / numbers.length : each / all));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
