import { ROWS } from '../../shared/timeline/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { drawTimeAxis, fitted, inkOn, timeScale, widthOf, type Margins, type Plot } from '../kit/index.ts';
import type { Track } from './model.ts';
import { lineTop, type Lines } from './lines.ts';
import type { Picture, PicturedTrack } from './picture.ts';

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
export interface ShownTrack extends PicturedTrack {
  readonly track: Track;
}

/** What else is drawn than tracks. */
interface Look {
  readonly origin_ns: number;
  readonly lines: Lines | null;
  /** The number in the list of tracks shown of the one that the keys act on; -1 for none. */
  readonly cursor: number;
}

/** Draws the tracks in sight, one below the other. */
export function drawTracks(
  plot: Plot,
  picture: Picture,
  shown: readonly ShownTrack[],
  range: TimeRange,
  { origin_ns, lines, cursor }: Look,
): void {
  const { palette } = plot;
  const width = Math.round(plot.width);
  drawTimeAxis(plot, range, origin_ns, 'top');
  const height = Math.round(plot.height);
  plot.pixels?.(picture.draw(width, height, shown, range, { palette, lines }), 0, 0);
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
  if (lines !== null)
    plot.write(palette.text, (write) => {
      for (const { text, x, y } of numbersIn(shown, range, plot.width, lines)) write(text, x, y);
    });
  const at = shown[cursor];
  if (at !== undefined)
    plot.fill(palette.shade, (pen) => {
      const top = Math.max(0, at.top) - 2;
      pen.rect(-MARGINS.left, top, MARGINS.left - 4, at.top + at.height + 2 - top);
    });
  const labels = shown.map(({ track, top }) => ({ ...labelOf(track), y: top + TEXT_BASE_PX }));
  plot.write(palette.text, (write) =>
    labels.forEach(({ name, indent, y }) => {
      if (y > 0) write(name, indent - MARGINS.left, y);
    }),
  );
  plot.write(palette.muted, (write) =>
    labels.forEach(({ aside, y }) => {
      if (y > 0) write(aside, -10 - widthOf(aside) * CHARACTER_PX, y);
    }),
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
  return shown.flatMap(({ tiles: { near }, colors, top }) =>
    (top + TEXT_BASE_PX > 0 ? (near?.bars ?? []) : []).flatMap(({ ts, te, texts }): Word[] => {
      const left = Math.max(0, x(ts)) + 3;
      const room = Math.min(width, x(te)) - left - 2;
      const text = texts.find((each) => widthOfText(each) <= room);
      if (text === undefined || near === undefined) return [];
      const middle = Math.floor(((ts + te) / 2 - near.zoom.start) / near.zoom.pixel_ns);
      const of = near.cells[(ROWS >> 1) * near.zoom.pixels + middle] ?? 0;
      return [{ text, x: left, y: top + TEXT_BASE_PX, fill: colors[of] ?? 0 }];
    }),
  );
}

/** The numbers of lines, in tracks with room for them: above their lines, or below where words stand above. */
function numbersIn(
  shown: readonly ShownTrack[],
  range: TimeRange,
  width: number,
  lines: Lines,
): readonly Pick<Word, 'text' | 'x' | 'y'>[] {
  const x = timeScale(range, width);
  return shown.flatMap(({ tiles: { near }, top, height }) =>
    (height <= ROWS ? [] : (near?.numbers ?? [])).flatMap(({ ts, te, texts: [text = ''] }) => {
      const left = Math.max(0, x(ts)) + 3;
      if (Math.min(width, x(te)) - left < widthOf(text) * CHARACTER_PX) return [];
      const line = lineTop(Number(text), lines, height);
      const y =
        top + (line > 2 * TEXT_BASE_PX ? line - 3 : line + TEXT_BASE_PX + (line < 3 ? TEXT_BASE_PX : 2));
      return y <= 0 || y > top + height ? [] : [{ text, x: left, y }];
    }),
  );
}

/** A packed colour as the style sheet knows it. */
function cssOf(color: number): string {
  const [r, g, b] = new Uint8Array(Uint32Array.of(color).buffer);
  return `rgb(${r ?? 0}, ${g ?? 0}, ${b ?? 0})`;
}
