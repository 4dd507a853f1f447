import type { Plot, TextPlace } from './plot.ts';

/** About how wide a character of a label is, in px. */
export const LABEL_CHARACTER_PX = 6.2;
/** Between the names of lanes and the lanes, and at the other side, together. */
const NAME_GAP_PX = 14;

/** How many characters of the name of a lane have room in a margin. */
export function nameCharacters(margin_px: number): number {
  return Math.floor((margin_px - NAME_GAP_PX) / LABEL_CHARACTER_PX);
}

const ANCHORS = { begin: null, middle: 'middle', end: 'end' } as const;

/** How a label looks. */
interface LabelLook {
  readonly color: string;
  /** Where it lies at its `x`; it begins there unless told. */
  readonly at?: TextPlace;
  readonly size_px?: number;
  /** Its middle is at `y`, and not its foot. */
  readonly isCentred?: boolean;
}

/** Writes one of few labels of a chart, as an element of its own. */
export function addLabel({ svg }: Pick<Plot, 'svg'>, text: string, x: number, y: number, look: LabelLook) {
  const { color, at = 'begin', size_px = 11, isCentred = false } = look;
  return svg
    .append('text')
    .attr('x', x)
    .attr('y', y)
    .attr('dy', isCentred ? '0.35em' : null)
    .attr('text-anchor', ANCHORS[at])
    .attr('font-size', size_px)
    .attr('fill', color)
    .text(text);
}

/** Writes a label in the middle of a bar's height, which a pointer goes through. */
export function addBarLabel(
  plot: Pick<Plot, 'svg'>,
  text: string,
  x: number,
  y: number,
  color: string,
): void {
  addLabel(plot, text, x, y, { color, isCentred: true }).attr('pointer-events', 'none');
}
