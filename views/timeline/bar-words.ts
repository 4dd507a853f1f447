import { group } from 'd3';
import { ROWS } from '../../shared/timeline/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { inkOn, timeScale, widthOf, type Plot } from '../kit/index.ts';
import { keptBy } from './kept-by.ts';
import { lineTop, type Lines } from './lines.ts';
import type { PicturedTrack } from './picture.ts';

/** About the width of a character of the small texts, in px. */
const CHARACTER_PX = 6.1;
/** How far below the upper edge of a track they stand, in px. */
export const TEXT_BASE_PX = 12;

/** Writes into wide stretches what these are, in ink that is seen on their colours. */
export function writeWords(
  plot: Pick<Plot, 'palette' | 'width' | 'write'>,
  shown: readonly PicturedTrack[],
  range: TimeRange,
  lines: Lines | null,
): void {
  const { palette } = plot;
  // Bars by the hundred have the same few colours and texts. What is hatched has the colour of the background below it.
  const inkOf = keptBy((fill: number) => (fill === 0 ? palette.text : inkOn(palette, cssOf(fill))));
  const inks = group(wordsIn(shown, range, plot.width, lines), ({ fill }) => inkOf(fill));
  for (const [ink, texts] of inks)
    plot.write(ink, (write) => {
      for (const { text, x, y } of texts) write(text, x, y);
    });
}

/** About how wide a small text is, in px: capitals and the widest letters take more room than others. */
export function textPx(text: string): number {
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return widthOf(text) * CHARACTER_PX + 2 * count(/\p{Lu}/gu) + 3 * count(/[MWmw]/g);
}

/** A text and where it stands; `fill`: the colour below it. */
export interface Word {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly fill: number;
}

/** Words stand at the upper edges of their tracks; where a line is there and room below it, at the lower edges. */
function wordsIn(
  shown: readonly PicturedTrack[],
  range: TimeRange,
  width: number,
  lines: Lines | null,
): Word[] {
  const x = timeScale(range, width);
  const widthOfText = keptBy(textPx);
  return shown.flatMap(({ tiles: { near }, colors, top, cut, height }) =>
    (top + TEXT_BASE_PX > cut ? (near?.bars ?? []) : []).flatMap(({ ts, te, texts }): Word[] => {
      const left = Math.max(0, x(ts)) + 3;
      const room = Math.min(width, x(te)) - left - 2;
      const text = texts.find((each) => widthOfText(each) <= room);
      if (text === undefined || near === undefined) return [];
      const placeOf = (at: number) => Math.floor((at - near.zoom.start) / near.zoom.pixel_ns);
      const of = near.cells[(ROWS >> 1) * near.zoom.pixels + placeOf((ts + te) / 2)] ?? 0;
      const highest = near.line?.[2 * placeOf(x.invert(left)) + 1] ?? 0;
      const isStruck =
        lines !== null && highest > 0 && lineTop(highest - 1, lines, height) < TEXT_BASE_PX + 2;
      const y = isStruck && height > ROWS ? height - 4 : TEXT_BASE_PX;
      return [{ text, x: left, y: top + y, fill: colors[of] ?? 0 }];
    }),
  );
}

/** A packed colour as the style sheet knows it. */
function cssOf(color: number): string {
  const [r, g, b] = new Uint8Array(Uint32Array.of(color).buffer);
  return `rgb(${r ?? 0}, ${g ?? 0}, ${b ?? 0})`;
}
