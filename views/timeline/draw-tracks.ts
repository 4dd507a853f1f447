import { ROWS } from '../../shared/timeline/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { drawTimeAxis, fitted, timeScale, widthOf, type Margins, type Plot } from '../kit/index.ts';
import { TEXT_BASE_PX, textPx, writeWords, type Word } from './bar-words.ts';
import type { Track } from './model.ts';
import { lineTop, type Lines } from './lines.ts';
import type { Picture, PicturedTrack } from './picture.ts';

/** Where names stand, and above the tracks the time axis. */
export const MARGINS: Margins = { top: 22, right: 12, bottom: 6, left: 236 };
/** The room for a name and the text next to it together, in characters. The name has its own least room. */
const LABEL_CHARACTERS = 38;
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
  writeWords(plot, shown, range, lines);
  if (lines !== null)
    plot.write(palette.text, (write) => {
      for (const { text, x, y } of numbersIn(shown, range, plot.width, lines)) write(text, x, y);
    });
  const at = shown[cursor];
  if (at !== undefined)
    plot.fill(palette.shade, (pen) => {
      const top = Math.max(at.cut, at.top) - 2;
      pen.rect(-MARGINS.left, top, MARGINS.left - 4, at.top + at.height + 2 - top);
    });
  const labels = shown.flatMap(({ track, top, cut }) => {
    const y = top + TEXT_BASE_PX;
    return y > cut ? [{ ...labelOf(track), y }] : [];
  });
  plot.write(palette.text, (write) =>
    labels.forEach(({ name, indent, y }) => write(name, indent - MARGINS.left, y)),
  );
  plot.write(palette.muted, (write) => labels.forEach(({ aside, y }) => write(aside, -10, y, 'end')));
}

/** The name of a track and the text next to it, each as far as there is room. */
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

/** The numbers of lines, in tracks with room for them: above their lines, or below where words stand above. */
function numbersIn(
  shown: readonly ShownTrack[],
  range: TimeRange,
  width: number,
  lines: Lines,
): readonly Pick<Word, 'text' | 'x' | 'y'>[] {
  const x = timeScale(range, width);
  return shown.flatMap(({ tiles: { near }, top, cut, height }) =>
    (height <= ROWS ? [] : (near?.numbers ?? [])).flatMap(({ ts, te, texts: [text = ''] }) => {
      const left = Math.max(0, x(ts)) + 3;
      if (Math.min(width, x(te)) - left < textPx(text)) return [];
      const line = lineTop(Number(text), lines, height);
      const y =
        top + (line > 2 * TEXT_BASE_PX ? line - 3 : line + TEXT_BASE_PX + (line < 3 ? TEXT_BASE_PX : 2));
      return y <= cut || y > top + height ? [] : [{ text, x: left, y }];
    }),
  );
}
