import { ROWS } from '../../shared/timeline/index.ts';
import type { ExtraTrack, ParamValues, ViewContext } from '../../shared/view/index.ts';
import {
  drawTimeAxis,
  fitted,
  hatch,
  nameLanes,
  stillPalette,
  timeScale,
  type Margins,
  type Palette,
  type Pen,
  type StillPage,
} from '../kit/index.ts';
import { THREAD_CLASSES, type TrackClass } from './classes.ts';
import { MACHINE_CLASSES } from './machine.ts';
import { colorOf } from './colors.ts';
import { cellsOf, runsOf } from './cells.ts';
import { extraColors } from './extra-classes.ts';
import { ExtraPixels } from './extra-pixels.ts';
import { extraKey, withExtras } from './extra-tracks.ts';
import { legendOf } from './words.ts';
import { SAMPLE_CLASSES } from './sample-track.ts';
import type { TimelineModel, Track, TrackPixels } from './model.ts';
import type { params } from './params.ts';
import { lineParts } from './lines.ts';
import { namesIn, Places, TRACK_PX } from './places.ts';
import type { PicturedTrack } from './picture.ts';
import { colorsFor } from './track-colors.ts';
import { writeWords } from './bar-words.ts';

const MARGINS: Margins = { top: 8, right: 16, bottom: 24, left: 230 };
const NAME_CHARACTERS = 34;

/** Draws the first tracks as one picture. */
export function drawStill(page: StillPage, model: TimelineModel, context: ViewContext<typeof params>): void {
  page.space(8);
  for (const { title, entries } of legendOf(stillPalette, model)) page.legend(entries, undefined, title);
  const { pixels } = model.still;
  const { all, drawn } = tracksIn(model, context.tracks ?? [], context.params);
  const places = new Places(
    drawn.map(({ track }) => track),
    namesIn(context.params.tall),
  );
  const shown = places.inSight(0, places.count).flatMap(({ index, ...place }) => {
    const track = drawn[index];
    return track === undefined ? [] : [{ ...track, ...place }];
  });
  const zoom = { start: model.range.start, pixel_ns: (model.range.end - model.range.start) / pixels, pixels };
  const colors = colorsFor(stillPalette, model);
  const worded = shown.map(({ track, runs, line, bars, top, cut, height }): PicturedTrack => {
    const near = { zoom, cells: cellsOf(runs), bars, line: line && Uint8Array.from(line), numbers: [] };
    return { tiles: { near, whole: undefined }, colors: colors[track.kind], top, cut, height };
  });
  const height = MARGINS.top + MARGINS.bottom + places.count * TRACK_PX;
  page.timeChart(
    height,
    MARGINS,
    (plot, range) => {
      drawTimeAxis(plot, range, model.origin_ns);
      const pixel_px = plot.width / pixels;
      for (const { colors, kinds } of kindsOf(plot.palette, model)) {
        colors.forEach((color, number) => {
          const rects = (draw: (left: number, top: number, width: number, height: number) => void) =>
            shown.forEach(({ track, runs, ...placed }) => {
              if (!kinds.includes(track.kind)) return;
              const row_px = placed.height / ROWS;
              for (const { from, to, top, bottom } of rectsOf(runs, pixels, number))
                draw(
                  from * pixel_px,
                  placed.top + top * row_px,
                  (to - from) * pixel_px,
                  (bottom - top) * row_px,
                );
            });
          if (color === undefined) return;
          if (color === null) {
            plot.stroke(plot.palette.hatch, (pen: Pen) =>
              rects((left, top, width, high) =>
                hatch(pen, { left, top, right: left + width, bottom: top + high }),
              ),
            );
          } else plot.fill(color, (pen) => rects((...box) => pen.rect(...box)));
        });
      }
      const { lines } = model;
      if (lines !== null)
        plot.fill(plot.palette.text, (pen) =>
          shown.forEach(({ line, ...placed }) => {
            if (line === null) return;
            for (const part of lineParts(line, (x) => x, pixels, placed.height, lines))
              pen.rect(part.left * pixel_px, placed.top + part.top, pixel_px, part.bottom - part.top);
          }),
        );
      writeWords(plot, worded, range, lines);
      const { span, thread } = context.selection;
      if (span !== null && thread !== null)
        plot.stroke(plot.palette.accent, (pen) => {
          const x = timeScale(range, plot.width).clamp(true);
          for (const { track, top, height } of shown)
            if (track.tid === thread.tid)
              pen.rect(x(span.start), top - 1, Math.max(2, x(span.end) - x(span.start)), height + 2);
        });
      const names = shown.map(({ track: { label, aside, is_inner } }) =>
        fitted(`${is_inner ? '  ' : ''}${label}${aside === '' ? '' : `, ${aside}`}`, NAME_CHARACTERS, 12),
      );
      nameLanes(plot, names, (lane) => (shown[lane]?.top ?? 0) + ROWS / 2, plot.palette.text);
    },
    context,
  );
  const hidden = all.length - shown.length;
  if (hidden > 0) page.text(`${hidden} more tracks are not shown.`, { color: stillPalette.muted });
}

/** The tracks of a still with their pixels, from the top: the first ones of the model, and all extra ones. */
function tracksIn(
  { tracks, still, range }: TimelineModel,
  extras: readonly ExtraTrack[],
  given: ParamValues<typeof params>,
): { readonly all: readonly Track[]; readonly drawn: readonly (TrackPixels & { readonly track: Track })[] } {
  const pixels = new Map(tracks.slice(0, still.tracks.length).map((track, at) => [track, still.tracks[at]]));
  const pixelsOf = new Map(extras.map((extra) => [extraKey(extra), new ExtraPixels(extra)]));
  const all = withExtras(tracks, extras, given);
  const drawn = all.flatMap((track) => {
    const own = pixels.get(track);
    if (own !== undefined) return [{ ...own, track }];
    const tile = pixelsOf.get(track.key)?.tile(range, still.pixels);
    if (tile === undefined) return [];
    return [{ key: track.key, runs: runsOf(tile.cells), line: null, bars: tile.bars, track }];
  });
  return { all, drawn };
}

/** The colours of each kind of tracks by class: null for what is hatched, undefined for nothing. */
function kindsOf(
  palette: Palette,
  { cpu_classes }: TimelineModel,
): readonly {
  readonly colors: readonly (string | null | undefined)[];
  readonly kinds: readonly Track['kind'][];
}[] {
  const ofClasses = (classes: readonly TrackClass[]) =>
    classes.map((of) => (of.state === 'nothing' ? undefined : colorOf(palette, of)));
  return [
    { colors: ofClasses(MACHINE_CLASSES), kinds: ['machine'] },
    { colors: ofClasses(SAMPLE_CLASSES), kinds: ['samples'] },
    { colors: [undefined, ...extraColors(palette).slice(1)], kinds: ['items', 'extra'] },
    { colors: ofClasses(cpu_classes), kinds: ['cpu'] },
    { colors: ofClasses(THREAD_CLASSES), kinds: ['process', 'thread'] },
  ];
}

interface Rect {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
}

/** The rectangles of a class in a track: rows that are alike are one. */
function* rectsOf(runs: readonly number[], pixels: number, wanted: number): Iterable<Rect> {
  let open: Rect[] = [];
  let row: Rect[] = [];
  let at = 0;
  let y = 0;
  for (let index = 0; index < runs.length; index += 2) {
    const of = runs[index] ?? 0;
    // A run may go on in the next row.
    for (let left = runs[index + 1] ?? 0; left > 0;) {
      const length = Math.min(left, pixels - at);
      if (of === wanted) row.push({ from: at, to: at + length, top: y, bottom: y + 1 });
      at += length;
      left -= length;
      if (at < pixels) continue;
      const above = new Map(open.map((rect) => [`${rect.from} ${rect.to}`, rect]));
      row = row.map((rect) => {
        const same = `${rect.from} ${rect.to}`;
        const over = above.get(same);
        above.delete(same);
        return over === undefined ? rect : { ...rect, top: over.top };
      });
      yield* above.values();
      open = row;
      row = [];
      at = 0;
      y++;
    }
  }
  yield* open;
}
