import type { Change, Place, SideName } from '../../shared/compare/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { clampRange } from '../kit/index.ts';

/** At what the traces of both sides meet: where the compared ranges begin or end, or where the chosen row counts most. */
export const MEETINGS = ['from', 'to', 'row'] as const;
export type Meeting = (typeof MEETINGS)[number];

/** A trace of a side. */
export interface MetTrace {
  /** All of it, and what of it is compared, in ns on its clock. */
  readonly whole: TimeRange;
  readonly compared: TimeRange;
  /** What counts most of the chosen row; null where it has nothing of that. */
  readonly place: Pick<Place, 'ts' | 'te'> | null;
}

/** Two traces, moved so that their anchors meet. */
export interface Met {
  /** The time of the anchor on the clock of each side. */
  readonly anchors: Readonly<Record<SideName, number>>;
  /** What either trace covers, in ns from the anchors. */
  readonly bounds: TimeRange;
  /** What is shown first of that. */
  readonly shown: TimeRange;
}

/** Around the places of a row so much of the longer of them is shown on both sides. */
const MARGIN = 1;

/** Moves two traces so that their anchors meet. A side that has no place of the row moves with the other. */
export function meet(meeting: Meeting, { a, b }: Readonly<Record<SideName, MetTrace>>): Met {
  const anchorOf = ({ compared, place }: MetTrace, other: MetTrace): number => {
    if (meeting === 'to') return compared.end;
    if (meeting === 'from') return compared.start;
    if (place !== null) return place.ts;
    return compared.start + (other.place === null ? 0 : other.place.ts - other.compared.start);
  };
  const anchors = { a: anchorOf(a, b), b: anchorOf(b, a) };
  const bounds = union(moved(a.whole, -anchors.a), moved(b.whole, -anchors.b));
  const places = meeting === 'row' ? [a.place, b.place].filter((place) => place !== null) : [];
  if (places.length === 0)
    return { anchors, bounds, shown: union(moved(a.compared, -anchors.a), moved(b.compared, -anchors.b)) };
  const longest = Math.max(1, ...places.map(({ ts, te }) => te - ts));
  const around = { start: -longest * MARGIN, end: longest * (1 + MARGIN) };
  return { anchors, bounds, shown: clampRange(around, bounds) };
}

/** A range on another clock. */
export function moved({ start, end }: TimeRange, by_ns: number): TimeRange {
  return { start: start + by_ns, end: end + by_ns };
}

function union(a: TimeRange, b: TimeRange): TimeRange {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** What counts most of a row on a side, and in which of its traces; null where the side has nothing of it. */
export function mostOfRow(row: Change | null, side: SideName): Change['proof']['a']['places'][number] | null {
  return row?.proof[side].places[0] ?? null;
}
