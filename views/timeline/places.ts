import { bisectRight } from 'd3';
import { ROWS } from '../../shared/timeline/index.ts';
import type { Track } from './model.ts';

/** The space below a track, in px, and the height of an ordinary track with it. */
const GAP_PX = 4;
export const TRACK_PX = ROWS + GAP_PX;
/** So many ordinary tracks a tall one is high. */
const TALL_PLACES = 3;

/** A track in sight: its number in the list, and where it lies below the upper edge, in px. What lies above `cut` is not seen. */
export interface Placed {
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly cut: number;
}

/** Where tracks stand below one another: in places, each as high as an ordinary track. Pinned ones stay while others scroll. */
export class Places {
  /** How many places there are. */
  readonly count: number;
  readonly #begins: readonly number[];
  /** How many tracks at the top are pinned. */
  readonly #pinned: number;

  /** @param tall the names of the tracks that are tall */
  constructor(tracks: readonly Pick<Track, 'name' | 'is_pinned'>[], tall: ReadonlySet<string>) {
    let count = 0;
    const begins = tracks.map(({ name }) => {
      const begin = count;
      count += tall.has(name) ? TALL_PLACES : 1;
      return begin;
    });
    this.count = count;
    this.#begins = [...begins, count];
    const other = tracks.findIndex(({ is_pinned }) => !is_pinned);
    this.#pinned = other === -1 ? tracks.length : other;
  }

  /** How many places pinned tracks hold at the top, of so many that there is room for: half of these at most. */
  held(room: number): number {
    return this.#begins[bisectRight(this.#begins, room / 2, 0, this.#pinned + 1) - 1] ?? 0;
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

  /** The tracks in sight, where there is room for so many places and others than those held are scrolled by `first`. */
  inSight(first: number, room: number): readonly Placed[] {
    const held = this.held(room);
    return [...this.#between(0, held, 0, 0), ...this.#between(first + held, first + room, first, held)];
  }

  /** The tracks that take places of a part, where what is scrolled lies above the edge, and the uppermost `held` places are taken. */
  *#between(from: number, until: number, scrolled: number, held: number): Generator<Placed> {
    for (let place = from; place < Math.min(this.count, until);) {
      const index = this.at(place);
      const { begin, end } = this.of(index);
      yield {
        index,
        top: (begin - scrolled) * TRACK_PX,
        height: (end - begin) * TRACK_PX - GAP_PX,
        cut: held * TRACK_PX,
      };
      place = end;
    }
  }
}

/** The names that a param has. */
export function namesIn(param: string | null): ReadonlySet<string> {
  return new Set(param?.split(' ').filter(Boolean) ?? []);
}
