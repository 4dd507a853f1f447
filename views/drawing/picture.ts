import type { TimeRange } from '../../shared/view/index.ts';
import { widthOf, type LegendEntry, type Margins, type Palette, type Plot } from '../kit/index.ts';

/** What lies under a point of a picture. */
export interface Hit {
  /** The row that it is, for a click; null where it is many. */
  readonly row: number | null;
  readonly lines: readonly string[];
}

/** A panel's rows as a picture that knows how to draw itself. */
export interface Picture {
  /** Whether it lies over time: then it follows the range in view. */
  readonly timed: boolean;
  readonly height_px: number;
  readonly margins: Margins;
  legend(palette: Palette): readonly LegendEntry[];
  draw(plot: Plot, range: TimeRange): void;
  /** What lies at a point, in px from the top left of the inner area; null for nothing. */
  at(x: number, y: number, plot: Plot, range: TimeRange): Hit | null;
  /** What the picture leaves out, in words. */
  readonly notes: readonly string[];
}

/** The room in px that names at the left of a picture need, none longer than so many characters. */
export function nameRoom(names: readonly string[], characters: number): number {
  const CHARACTER_PX = 6.3;
  const longest = names.reduce((most, name) => Math.max(most, widthOf(name)), 4);
  return Math.ceil(Math.min(characters, longest) * CHARACTER_PX) + 16;
}
