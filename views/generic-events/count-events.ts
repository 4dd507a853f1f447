import { bisectLeft } from 'd3';
import type { EventColumns } from './load-columns.ts';
import type { EventKind } from './model.ts';

/** Which events are counted, and how. */
export interface EventFilter {
  readonly range_start: number;
  readonly range_end: number;
  readonly bucket_ns: number;
  readonly buckets: number;
  /** The threads whose events are wanted; null for all. */
  readonly utids: ReadonlySet<number> | null;
  /** By key, 1 for each event that is wanted; null for all. */
  readonly isMatch: Uint8Array | null;
  /** Which of them are listed; null for any. Counts are of all. */
  readonly provider: string | null;
  readonly event: string | null;
  readonly max_events: number;
}

/** A kind of events, and how many are in each bucket of time. */
export type CountedKind = EventKind & { readonly counts: readonly number[] };

/** Counts the events that pass a filter by kind and bucket of time, and gives the keys of the first ones that are listed. */
export function countEvents(
  { ts, kind, utid, kinds }: EventColumns,
  filter: EventFilter,
): { readonly kinds: readonly CountedKind[]; readonly ids: readonly number[] } {
  const { range_start, range_end, bucket_ns, utids, isMatch, max_events } = filter;
  const isListed = kinds.map(
    ({ provider, event }) =>
      (filter.provider === null || provider === filter.provider) &&
      (filter.event === null || event === filter.event),
  );
  const counts: (number[] | undefined)[] = [];
  const ids: number[] = [];
  for (let id = bisectLeft(ts, range_start); id < ts.length; id++) {
    const at = ts[id] ?? 0;
    if (at >= range_end) break;
    if (isMatch?.[id] === 0) continue;
    const thread = utid[id] ?? 0;
    if (utids !== null && (thread === 0 || !utids.has(thread))) continue;
    const of = kind[id] ?? 0;
    const ofKind = (counts[of] ??= new Array<number>(filter.buckets).fill(0));
    const bucket = Math.floor((at - range_start) / bucket_ns);
    ofKind[bucket] = (ofKind[bucket] ?? 0) + 1;
    if (ids.length < max_events && isListed[of] === true) ids.push(id);
  }
  const counted = kinds.flatMap((named, of) => {
    const ofKind = counts[of];
    if (ofKind === undefined) return [];
    return [{ ...named, count: ofKind.reduce((sum, count) => sum + count, 0), counts: ofKind }];
  });
  return { kinds: counted, ids };
}
