import { bisectRight } from 'd3';
import { ROWS } from '../../shared/timeline/index.ts';
import type { Track } from './model.ts';

/** The space below a track, in px, and the height of an ordinary track with it. */
const GAP_PX = 4;
export const TRACK_PX = ROWS + GAP_PX;
/** So many ordinary tracks a tall one is high. */
const TALL_PLACES = 3;

/** A track in sight: its number in the list, and where it lies below the upper edge, in px; a part of it may lie above that. */
export interface Placed {
  readonly index: number;
  readonly top: number;
  readonly height: number;
}

/** Where tracks stand below one another: in places, each as high as an ordinary track. */
export class Places {
  /** How many places there are. */
  readonly count: number;
  readonly #begins: readonly number[];

  /** @param tall the names of the tracks that are tall */
  constructor(tracks: readonly Pick<Track, 'name'>[], tall: ReadonlySet<string>) {
    let count = 0;
    const begins = tracks.map(({ name }) => {
      const begin = count;
      count += tall.has(name) ? TALL_PLACES : 1;
      return begin;
    });
    this.count = count;
    this.#begins = [...begins, count];
  }

  /** The track that takes a place; -1 for none. */
  at(place: number): number {
    return place < 0 || place >= this.count ? -1 : bisectRight(this.#begins, place) - 1;
  }

  /** The first place of a track, and the one after its last. */
  of(index: number): { readonly begin: number; readonly end: number } {
    const { count } = this;
    return { begin: this.#begins[index] ?? count, end: this.#begins[index + 1] ?? count };
  }

  /** The tracks in sight, where so many places from `first` on are. */
  inSight(first: number, room: number): readonly Placed[] {
    const placed: Placed[] = [];
    const until = Math.min(this.count, first + room);
    for (let place = first; place < until;) {
      const index = this.at(place);
      const { begin, end } = this.of(index);
      placed.push({ index, top: (begin - first) * TRACK_PX, height: (end - begin) * TRACK_PX - GAP_PX });
      place = end;
    }
    return placed;
  }
}

/** The names that a param has. */
export function namesIn(param: string | null): ReadonlySet<string> {
  return new Set(param?.split(' ').filter(Boolean) ?? []);
}
