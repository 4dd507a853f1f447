import { bisectLeft } from 'd3';
import type { Bounds } from '../../shared/tables/index.ts';
import type { Events } from '../../shared/events/index.ts';
import type { EventKind } from './model.ts';

/** Which events are counted, and how. */
export interface EventFilter extends Bounds {
  readonly bucket_ns: number;
  readonly buckets: number;
  /** The threads whose events are wanted; null for all. */
  readonly utids: ReadonlySet<number> | null;
  /** By place, 1 for each event that is wanted; null for all. */
  readonly isMatch: Uint8Array | null;
  /** Which of them are listed; null for any. Counts are of all. */
  readonly provider: string | null;
  readonly event: string | null;
  readonly max_events: number;
}

/** A kind of events, and how many are in each bucket of time. */
export type CountedKind = EventKind & { readonly counts: readonly number[] };

/** Counts the events that pass a filter by kind and bucket of time, and gives the places of the first ones that are listed. */
export function countEvents(
  { ts, shape, utid, shapes }: Events,
  filter: EventFilter,
): { readonly kinds: readonly CountedKind[]; readonly places: readonly number[] } {
  const { range_start, range_end, bucket_ns, utids, isMatch, max_events } = filter;
  const { kinds, ofShape } = kindsOf(shapes);
  const isListed = kinds.map(
    ({ provider, event }) =>
      (filter.provider === null || provider === filter.provider) &&
      (filter.event === null || event === filter.event),
  );
  const counts: (number[] | undefined)[] = [];
  const places: number[] = [];
  for (let place = bisectLeft(ts, range_start); place < ts.length; place++) {
    const at = ts[place] ?? 0;
    if (at >= range_end) break;
    if (isMatch?.[place] === 0) continue;
    const thread = utid[place] ?? 0;
    if (utids !== null && (thread === 0 || !utids.has(thread))) continue;
    const of = ofShape[shape[place] ?? 0] ?? 0;
    const ofKind = (counts[of] ??= new Array<number>(filter.buckets).fill(0));
    const bucket = Math.floor((at - range_start) / bucket_ns);
    ofKind[bucket] = (ofKind[bucket] ?? 0) + 1;
    if (places.length < max_events && isListed[of] === true) places.push(place);
  }
  const counted = kinds.flatMap((named, of) => {
    const ofKind = counts[of];
    if (ofKind === undefined) return [];
    return [{ ...named, count: ofKind.reduce((sum, count) => sum + count, 0), counts: ofKind }];
  });
  return { kinds: counted, places };
}

/** The kinds of events, sorted by their names, and which each shape has. */
function kindsOf(shapes: Events['shapes']) {
  const nameOf = ({ provider, name }: Events['shapes'][number]) => `${provider}/${name}`;
  const byName = new Map(shapes.map((shape) => [nameOf(shape), shape]));
  const names = [...byName.keys()].sort();
  const numbers = new Map(names.map((name, number) => [name, number]));
  return {
    kinds: names.map((name) => {
      const shape = byName.get(name);
      return { provider: shape?.provider ?? '', event: shape?.name ?? '' };
    }),
    ofShape: Uint32Array.from(shapes, (shape) => numbers.get(nameOf(shape)) ?? 0),
  };
}
