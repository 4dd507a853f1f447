import { ROWS } from '../../shared/timeline/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { drawTimeAxis, fitted, inkOn, timeScale, widthOf, type Margins, type Plot } from '../kit/index.ts';
import type { Track } from './model.ts';
import { Picture, TRACK_PX, type Colors } from './picture.ts';
import type { Stretch } from './questions.ts';
import type { TrackTiles } from './tiles.ts';

/** Where names stand, and above the tracks the time axis. */
export const MARGINS: Margins = { top: 22, right: 12, bottom: 6, left: 236 };
/** About the width of a character of the small texts. */
const CHARACTER_PX = 6.1;
const TEXT_BASE_PX = 12;
/** A name and what stands beside it have so much room together; the name has so much of it at least. */
const LABEL_CHARACTERS = 36;
const NAME_CHARACTERS = 21;
/** A process has this before its name. */
const [OPENED, CLOSED] = ['▾', '▸'];

/** What is drawn of a track. */
export interface ShownTrack {
  readonly track: Track;
  readonly tiles: TrackTiles;
  readonly colors: Colors;
}

/** Draws the tracks in sight, one below the other. */
export function drawTracks(
  plot: Plot,
  picture: Picture,
  shown: readonly ShownTrack[],
  range: TimeRange,
  { origin_ns, cursor }: { readonly origin_ns: number; readonly cursor: string | null },
): void {
  const { palette } = plot;
  const width = Math.round(plot.width);
  drawTimeAxis(plot, range, origin_ns, 'top');
  plot.pixels?.(picture.draw(width, shown, range, palette), 0, 0);
  const bars = wordsIn(shown, range, plot.width);
  const inkOf = keptBy((fill: number) => inkOn(palette, cssOf(fill)));
  const inks = new Map<string, typeof bars>();
  for (const bar of bars) {
    const ink = inkOf(bar.fill);
    const list = inks.get(ink) ?? [];
    if (list.length === 0) inks.set(ink, list);
    list.push(bar);
  }
  for (const [ink, texts] of inks)
    plot.write(ink, (write) => {
      for (const { text, x, y } of texts) write(text, x, y);
    });
  const at = shown.findIndex(({ track }) => track.key === cursor);
  if (at !== -1)
    plot.fill(palette.shade, (pen) => pen.rect(-MARGINS.left, at * TRACK_PX - 2, MARGINS.left - 4, TRACK_PX));
  const labels = shown.map(({ track }) => labelOf(track));
  plot.write(palette.text, (write) =>
    labels.forEach(({ name, indent }, place) =>
      write(name, indent - MARGINS.left, place * TRACK_PX + TEXT_BASE_PX),
    ),
  );
  plot.write(palette.muted, (write) =>
    labels.forEach(({ aside }, place) =>
      write(aside, -10 - widthOf(aside) * CHARACTER_PX, place * TRACK_PX + TEXT_BASE_PX),
    ),
  );
}

/** The name of a track and what stands beside it, each as far as there is room. */
function labelOf({ kind, label, aside, is_open, is_pinned, is_inner }: Track): {
  readonly name: string;
  readonly aside: string;
  readonly indent: number;
} {
  const sign = kind === 'process' ? `${is_open ? OPENED : CLOSED} ` : is_pinned ? '• ' : '';
  const least = Math.min(widthOf(sign + label), NAME_CHARACTERS);
  const beside = fitted(aside, LABEL_CHARACTERS - least);
  const name = fitted(sign + label, LABEL_CHARACTERS - Math.max(widthOf(beside), LABEL_CHARACTERS / 3));
  return { name, aside: beside, indent: is_inner ? 16 : 4 };
}

interface Word {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly fill: number;
}

/** Bars by the hundred have the same few colours and texts: what is asked of each is found once a frame. */
function keptBy<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(key);
    known.set(key, found);
    return found;
  };
}

function wordsIn(shown: readonly ShownTrack[], range: TimeRange, width: number): Word[] {
  const x = timeScale(range, width);
  const widthOfText = keptBy((text: string) => widthOf(text) * CHARACTER_PX);
  return shown.flatMap(({ tiles: { near }, colors }, place) =>
    (near?.bars ?? []).flatMap(({ ts, te, texts }): Word[] => {
      const left = Math.max(0, x(ts)) + 3;
      const room = Math.min(width, x(te)) - left - 2;
      const text = texts.find((each) => widthOfText(each) <= room);
      if (text === undefined || near === undefined) return [];
      const middle = Math.floor(((ts + te) / 2 - near.zoom.start) / near.zoom.pixel_ns);
      const of = near.cells[(ROWS >> 1) * near.zoom.pixels + middle] ?? 0;
      return [{ text, x: left, y: place * TRACK_PX + TEXT_BASE_PX, fill: colors[of] ?? 0 }];
    }),
  );
}

/** A packed colour as the style sheet knows it. */
function cssOf(color: number): string {
  const [r, g, b] = new Uint8Array(Uint32Array.of(color).buffer);
  return `rgb(${r ?? 0}, ${g ?? 0}, ${b ?? 0})`;
}

/** Draws a frame around what is chosen, and an arrow from who woke it. Tracks that are not in sight have place -1. */
export function drawChosen(
  plot: Plot,
  range: TimeRange,
  { ts, te, wake }: Stretch,
  place: number,
  wakerPlace: number,
): void {
  const x = timeScale(range, plot.width).clamp(true);
  const { accent } = plot.palette;
  if (place !== -1) {
    plot.svg
      .append('rect')
      .attr('x', x(ts))
      .attr('y', place * TRACK_PX - 1)
      .attr('width', Math.max(2, x(te) - x(ts)))
      .attr('height', ROWS + 2)
      .attr('fill', 'none')
      .attr('stroke', accent)
      .attr('stroke-width', 2)
      .attr('pointer-events', 'none');
  }
  if (wake === null || place === -1 || wakerPlace === -1) return;
  const at = x(wake.ts);
  if (at <= 0 || at >= plot.width) return;
  const down = place > wakerPlace;
  const from = wakerPlace * TRACK_PX + (down ? ROWS : 0);
  const to = place * TRACK_PX + (down ? 0 : ROWS);
  const head = down ? -6 : 6;
  plot.svg
    .append('path')
    .attr('d', `M${at},${from}L${at},${to}M${at - 4},${to + head}L${at},${to}L${at + 4},${to + head}`)
    .attr('fill', 'none')
    .attr('stroke', accent)
    .attr('stroke-width', 1.5)
    .attr('pointer-events', 'none');
}
