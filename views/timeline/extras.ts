import type { ExtraTrack, ItemDetail, TimeRange } from '../../shared/view/index.ts';
import type { Track } from './model.ts';
import type { Stretch } from './questions.ts';
import type { Tile } from './tiles.ts';
import { ExtraPixels } from './extra-pixels.ts';
import { firstAfter } from './extra-items.ts';
import { extraKey, itemAt, stretchOf, withExtras } from './extra-tracks.ts';

/** What the items that were chosen show, by their stretches. */
const details = new WeakMap<Stretch, { readonly item: number; readonly detail: ItemDetail }>();

/** What a chosen item shows besides its stretch; undefined for what is no item of an extra track. */
export function detailOf(stretch: Stretch): ItemDetail | undefined {
  return details.get(stretch)?.detail;
}

/** The extra tracks that there are now. */
export class Extras {
  #shown = new Map<string, { readonly extra: ExtraTrack; readonly pixels: ExtraPixels }>();

  /** Takes other tracks in the place of those before. */
  take(tracks: readonly ExtraTrack[]): void {
    const before = this.#shown;
    this.#shown = new Map(
      tracks.map((extra) => {
        const known = before.get(extraKey(extra));
        return [extraKey(extra), known?.extra === extra ? known : { extra, pixels: new ExtraPixels(extra) }];
      }),
    );
  }

  has(key: string): boolean {
    return this.#shown.has(key);
  }

  /** The tracks of a view, and these among them. */
  among(
    tracks: readonly Track[],
    params: { readonly pinned: string | null; readonly filter: string | null },
  ): readonly Track[] {
    const extras = [...this.#shown.values()].map(({ extra }) => extra);
    return withExtras(tracks, extras, params);
  }

  tile(key: string, range: TimeRange, pixels: number): Tile | undefined {
    return this.#shown.get(key)?.pixels.tile(range, pixels);
  }

  /** The item that a track shows at a time; null where there is none. */
  at(key: string, ts: number, px_ns: number): Stretch | null {
    const extra = this.#shown.get(key)?.extra;
    return extra === undefined ? null : told(extra, itemAt(extra, ts, px_ns));
  }

  /** The item that begins next after a time, or without one the last; null where there are none. */
  next(key: string, ts: number): Stretch | null {
    const extra = this.#shown.get(key)?.extra;
    if (extra === undefined) return null;
    return told(extra, Math.min(extra.items.length - 1, firstAfter(extra.items, ts)));
  }

  /** The item before or after a chosen one; null where that was the last. */
  beside(stretch: Stretch, step: -1 | 1): Stretch | null {
    const [extra, chosen] = [this.#shown.get(stretch.track)?.extra, details.get(stretch)];
    return extra === undefined || chosen === undefined ? null : told(extra, chosen.item + step);
  }
}

function told(extra: ExtraTrack, item: number): Stretch | null {
  const stretch = stretchOf(extra, item);
  if (stretch !== null) details.set(stretch, { item, detail: extra.about(item) });
  return stretch;
}
