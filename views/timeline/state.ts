import type { TimeRange, TraceSummary } from '../../shared/view/index.ts';
import type { Stretch } from './questions.ts';
import type { Tiles } from './tiles.ts';

/** What stays while the tracks of a trace are drawn anew. */
export interface Kept {
  /** The track that the keys act on. */
  cursor: string | null;
  chosen: Stretch | null;
  /** The range of which the tables below tell; null where they do not. */
  covered: TimeRange | null;
  /** The chosen stretches from which the user went to who woke them. */
  readonly trail: Stretch[];
  /** Pixels that are known, and whether causes were judged when they were made. */
  tiles: { readonly judged: number | null; readonly of: Tiles } | null;
}

const kept = new WeakMap<TraceSummary, Kept>();

/** What is kept of a trace. */
export function keptOf(trace: TraceSummary): Kept {
  const known = kept.get(trace);
  if (known !== undefined) return known;
  const made: Kept = { cursor: null, chosen: null, covered: null, trail: [], tiles: null };
  kept.set(trace, made);
  return made;
}
