import type { TimeRange, TraceSummary } from '../../shared/view/index.ts';
import type { Stretch, WokenAnswer } from './questions.ts';
import type { Tiles, TilesLook } from './tiles.ts';

/** What stays while the tracks of a trace are drawn anew. */
export interface Kept {
  /** The track that the keys act on. */
  cursor: string | null;
  /** What is chosen, and whom it woke once that is known. */
  chosen: { readonly stretch: Stretch; readonly woken: WokenAnswer | null } | null;
  /** The range that the tables below show; null where they show none. */
  covered: TimeRange | null;
  /** The chosen stretches from which the user went to who woke them. */
  readonly trail: Stretch[];
  /** What the line below the tracks shows. */
  said: string;
  /** What is still to be said, once the tracks are drawn anew. */
  unsaid: string;
  /** Pixels that are known, and what they show. */
  tiles: { readonly of: Tiles; readonly look: TilesLook; readonly judged: number | null } | null;
}

const kept = new WeakMap<TraceSummary, Kept>();

/** What is kept of a trace. */
export function keptOf(trace: TraceSummary): Kept {
  const known = kept.get(trace);
  if (known !== undefined) return known;
  const made: Kept = {
    cursor: null,
    chosen: null,
    covered: null,
    trail: [],
    said: '',
    unsaid: '',
    tiles: null,
  };
  kept.set(trace, made);
  return made;
}
