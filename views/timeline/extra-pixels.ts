import { ROWS } from '../../shared/timeline/index.ts';
import type { ExtraTrack, TimeRange } from '../../shared/view/index.ts';
import type { WideBar, Zoom } from './questions.ts';
import type { Tile } from './tiles.ts';
import { UNKNOWN } from './extra-classes.ts';
import { drawFlags } from './extra-flags.ts';
import { fillRow, pixelsIn } from './extra-items.ts';
import { SpanPixels } from './extra-spans.ts';
import { drawValues, scaleOf } from './extra-values.ts';

/** The pixels of an extra track. They are made in the page, where its items are. */
export class ExtraPixels {
  readonly #known: TimeRange | null;
  readonly #draw: (cells: Uint8Array, zoom: Zoom) => readonly WideBar[];
  #last: { readonly key: string; readonly tile: Tile } | null = null;

  constructor({ draw, items, known, most }: ExtraTrack) {
    this.#known = known;
    const none: readonly WideBar[] = [];
    if (draw === 'spans') {
      const spans = new SpanPixels(items);
      this.#draw = (cells, zoom) => {
        spans.draw(cells, zoom);
        return spans.bars(zoom);
      };
    } else {
      const scale = scaleOf(items, most ?? 0);
      this.#draw = (cells, zoom) => {
        if (draw === 'flags') drawFlags(items, cells, zoom);
        else drawValues(items, scale, cells, zoom);
        return none;
      };
    }
  }

  /** The pixels of a range that is so many wide. */
  tile(range: TimeRange, pixels: number): Tile {
    const key = `${range.start} ${range.end} ${pixels}`;
    if (this.#last?.key === key) return this.#last.tile;
    const zoom = { start: range.start, pixel_ns: (range.end - range.start) / pixels, pixels };
    const cells = new Uint8Array(ROWS * pixels);
    const bars = this.#draw(cells, zoom);
    if (this.#known !== null) hatchAround(this.#known, cells, zoom);
    const tile = { zoom, cells, bars, line: null, numbers: [] };
    this.#last = { key, tile };
    return tile;
  }
}

function hatchAround(known: TimeRange, cells: Uint8Array, zoom: Zoom): void {
  const { from, to } = pixelsIn(known, zoom) ?? { from: zoom.pixels, to: zoom.pixels };
  for (let row = 0; row < ROWS; row++) {
    fillRow(cells, zoom.pixels, row, { from: 0, to: from }, UNKNOWN);
    fillRow(cells, zoom.pixels, row, { from: to, to: zoom.pixels }, UNKNOWN);
  }
}
