import * as d3 from 'd3';
import { ROWS } from '../../shared/timeline/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { Palette } from '../kit/index.ts';
import { THREAD_CLASSES, type TrackClass } from './classes.ts';
import { colorOf } from './colors.ts';
import { lineParts, type Lines } from './lines.ts';
import type { Placed } from './places.ts';
import type { Zoom } from './questions.ts';
import type { TrackTiles } from './tiles.ts';

/** Lines of what is hatched are so far apart, in px. */
const HATCH_PX = 6;

/** What of a track is drawn, and where. */
export interface PicturedTrack extends Omit<Placed, 'index'> {
  readonly tiles: TrackTiles;
  readonly colors: Colors;
}

/** The tracks in sight as pixels. */
export class Picture {
  #data: ImageData | null = null;
  #pixels = new Uint32Array(0);

  /**
   * Draws tracks below one another, each in the colours of its classes. Where a track is known at the zoom in use, that is shown; else
   * what is known of it at another zoom; dots where nothing is known yet.
   */
  draw(
    width: number,
    height: number,
    tracks: readonly PicturedTrack[],
    range: TimeRange,
    { palette, lines }: { readonly palette: Palette; readonly lines: Lines | null },
  ): ImageData {
    if (this.#data === null || this.#data.width !== width || this.#data.height !== height) {
      this.#data = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#data.data.buffer);
    }
    const background = packed(palette.background);
    const [hatched, dots, ink] = [packed(palette.hatch), packed(palette.grid), packed(palette.text)];
    this.#pixels.fill(background);
    const maps = new Map<Zoom, Int32Array>();
    const mapOf = (zoom: Zoom | undefined): Int32Array | null => {
      if (zoom === undefined) return null;
      const known = maps.get(zoom);
      if (known !== undefined) return known;
      const map = placesIn(zoom, range, width);
      maps.set(zoom, map);
      return map;
    };
    for (const { tiles, colors, top, cut, height: own_px } of tracks) {
      const { near, whole } = tiles;
      const [nearMap, wholeMap] = [mapOf(near?.zoom), mapOf(whole?.zoom)];
      for (let y = Math.max(cut, top); y < Math.min(height, top + own_px); y++) {
        const row = Math.floor(((y - top) * ROWS) / own_px);
        const nearRow = row * (near?.zoom.pixels ?? 0);
        const wholeRow = row * (whole?.zoom.pixels ?? 0);
        for (let x = 0; x < width; x++) {
          const place = nearMap === null ? -1 : (nearMap[x] ?? -1);
          let of = -1;
          if (place >= 0) of = near?.cells[nearRow + place] ?? 0;
          else if (wholeMap !== null) of = whole?.cells[wholeRow + (wholeMap[x] ?? 0)] ?? 0;
          const at = y * width + x;
          if (of < 0) {
            if (((x ^ y) & 3) === 0) this.#pixels[at] = dots;
            continue;
          }
          const color = colors[of] ?? 0;
          if (color !== HATCHED) this.#pixels[at] = color;
          else if ((x + y) % HATCH_PX === 0) this.#pixels[at] = hatched;
        }
      }
      const [known, map] = near?.line == null ? [whole, wholeMap] : [near, nearMap];
      if (lines === null || known?.line == null || map === null) continue;
      for (const part of lineParts(known.line, (x) => map[x] ?? -1, width, own_px, lines))
        for (let y = Math.max(cut, top + part.top); y < Math.min(height, top + part.bottom); y++)
          this.#pixels[y * width + part.left] = ink;
    }
    return this.#data;
  }
}

/** The colours of classes by their numbers, as pixels of an `ImageData` are stored. */
export type Colors = Uint32Array;
/** Stands for what is hatched: no colour is transparent. */
const HATCHED = 0;

/** The colours of some classes. */
export function colorsOf(palette: Palette, classes: readonly TrackClass[]): Colors {
  return packedColors(classes.map((of) => colorOf(palette, of)));
}

/** Colours of classes by their numbers; null for what is hatched. */
export function packedColors(colors: readonly (string | null)[]): Colors {
  return Uint32Array.from(colors, (color) => (color === null ? HATCHED : packed(color)));
}

/** The colours of what threads do. */
export function threadColors(palette: Palette): Colors {
  return colorsOf(palette, THREAD_CLASSES);
}

function packed(color: string): number {
  const { r, g, b } = d3.rgb(color);
  const bytes = new Uint8ClampedArray([r, g, b, 255]);
  return new Uint32Array(bytes.buffer)[0] ?? 0;
}

/** Which pixel of a zoom lies at each px of a range; -1 for none. */
function placesIn({ start, pixel_ns, pixels }: Zoom, range: TimeRange, width: number): Int32Array {
  const px_ns = (range.end - range.start) / width;
  return Int32Array.from({ length: width }, (_, x) => {
    const place = Math.floor((range.start + (x + 0.5) * px_ns - start) / pixel_ns);
    return place < 0 || place >= pixels ? -1 : place;
  });
}
