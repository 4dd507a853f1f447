import * as d3 from 'd3';
import { ROWS } from '../../shared/timeline/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { Palette } from '../kit/index.ts';
import { THREAD_CLASSES, type TrackClass } from './classes.ts';
import { colorOf } from './colors.ts';
import { keptBy } from './kept-by.ts';
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
    const pixels = this.#pixels;
    const [background, hatched] = [packed(palette.background), packed(palette.hatch)];
    const [dots, ink] = [packed(palette.grid), packed(palette.text)];
    pixels.fill(background);
    const placesOf = keptBy((zoom: Zoom) => placesIn(zoom, range, width));
    for (const { tiles, colors, top, cut, height: own_px } of tracks) {
      const { near, whole } = tiles;
      const { from, to } = near === undefined ? { from: width, to: width } : placesOf(near.zoom);
      const parts = [
        { tile: whole, left: 0, right: from },
        { tile: near, left: from, right: to },
        { tile: whole, left: to, right: width },
      ].filter(({ left, right }) => left < right);
      for (let y = Math.max(cut, top); y < Math.min(height, top + own_px); y++) {
        const at = y * width;
        const row = Math.floor(((y - top) * ROWS) / own_px);
        for (const { tile, left, right } of parts) {
          if (tile === undefined) {
            for (let x = left + ((y - left) & 3); x < right; x += 4) pixels[at + x] = dots;
            continue;
          }
          const { cells, zoom } = tile;
          const { places } = placesOf(zoom);
          const first = row * zoom.pixels;
          for (let x = left; x < right; x++) {
            const color = colors[cells[first + (places[x] ?? 0)] ?? 0] ?? 0;
            if (color !== HATCHED) pixels[at + x] = color;
            else if ((x + y) % HATCH_PX === 0) pixels[at + x] = hatched;
          }
        }
      }
      const known = near?.line == null ? whole : near;
      if (lines === null || known?.line == null) continue;
      const line = placesOf(known.zoom);
      const placeOf = (x: number) => (x < line.from || x >= line.to ? -1 : (line.places[x] ?? -1));
      for (const part of lineParts(known.line, placeOf, width, own_px, lines))
        for (let y = Math.max(cut, top + part.top); y < Math.min(height, top + part.bottom); y++)
          pixels[y * width + part.left] = ink;
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

/** Which pixel of a zoom lies at each px of a range, from one px to another; there is none elsewhere. */
interface ZoomPlaces {
  readonly places: Int32Array;
  readonly from: number;
  readonly to: number;
}

function placesIn({ start, pixel_ns, pixels }: Zoom, range: TimeRange, width: number): ZoomPlaces {
  const px_ns = (range.end - range.start) / width;
  const placeOf = (x: number) => Math.floor((range.start + (x + 0.5) * px_ns - start) / pixel_ns);
  const places = new Int32Array(width);
  let [from, to] = [width, width];
  for (let x = width - 1; x >= 0; x--) {
    const place = placeOf(x);
    places[x] = place;
    if (place >= pixels) to = x;
    if (place >= 0) from = x;
  }
  return { places, from: Math.min(from, to), to };
}
