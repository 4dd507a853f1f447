import { interpolateRgb } from 'd3';
import { fittedLabel } from './fitted-label.ts';
import { fitted, widthOf } from './fitted.ts';
import type { Palette } from './palette.ts';
import type { Chart, Plot } from './plot.ts';
import { rowCount, type Box } from './flame-layout.ts';
import type { FlameNode } from './flame-node.ts';

const ROW_PX = 18;
/** A box narrower than this is not drawn: it would be no more than a line. */
const NARROWEST_PX = 0.4;
const LABEL_FROM_PX = 36;
const CHARACTER_PX = 6.3;
/** How much of the background is in the colour of a box; what a search does not find has more. */
const TINT = 0.5;
const FAINT = 0.88;

/** How boxes are drawn. */
export interface FlameLook {
  /** Whether callers are below. */
  readonly upward: boolean;
  /** What is searched, in lower case; empty for nothing. */
  readonly search: string;
  /** The colour of a frame, where it is not that of its module. */
  readonly color?: (node: FlameNode, palette: Palette) => string;
}

/** How high the picture is, in px. */
export function flameHeight(boxes: readonly Box[]): number {
  return rowCount(boxes) * ROW_PX;
}

/** Draws the boxes. */
export function flameChart(boxes: readonly Box[], look: FlameLook): Chart {
  return (plot) => {
    const colors = colorsOf(boxes, look, plot.palette);
    for (const [color, of] of colors) {
      plot.fill(color, (pen) => {
        for (const box of of) {
          const { x, y, width } = placeOf(box, boxes, look, plot);
          if (width >= NARROWEST_PX) pen.rect(x, y, Math.max(NARROWEST_PX, width - 1), ROW_PX - 1);
        }
      });
    }
    for (const box of boxes) writeLabel(plot, box, boxes, look);
  };
}

/** Draws a frame around the box under the cursor, and gives it. */
export function drawCursor(plot: Plot, box: Box, boxes: readonly Box[], look: FlameLook): Element | null {
  const { x, y, width } = placeOf(box, boxes, look, plot);
  return plot.svg
    .append('rect')
    .attr('x', x + 0.5)
    .attr('y', y + 0.5)
    .attr('width', Math.max(1, width - 2))
    .attr('height', ROW_PX - 2)
    .attr('fill', 'none')
    .attr('stroke', plot.palette.text)
    .attr('stroke-width', 1.5)
    .node();
}

/** The index of the box at a point, in px from the top left; −1 for none. */
export function boxAt(x: number, y: number, boxes: readonly Box[], look: FlameLook, plot: Plot): number {
  return boxes.findIndex((box) => {
    const place = placeOf(box, boxes, look, plot);
    return x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + ROW_PX;
  });
}

/** Whether a search finds the box. */
export function isFound({ node }: Box, { search }: FlameLook): boolean {
  return search !== '' && node.label.toLowerCase().includes(search);
}

function placeOf({ row, from, to }: Box, boxes: readonly Box[], { upward }: FlameLook, plot: Plot) {
  const top = upward ? flameHeight(boxes) - (row + 1) * ROW_PX : row * ROW_PX;
  return { x: from * plot.width, y: top, width: (to - from) * plot.width };
}

function colorsOf(
  boxes: readonly Box[],
  look: FlameLook,
  palette: Palette,
): ReadonlyMap<string, readonly Box[]> {
  const colors = new Map<string, Box[]>();
  for (const box of boxes) {
    const color = colorOf(box, look, palette);
    const of = colors.get(color);
    if (of === undefined) colors.set(color, [box]);
    else of.push(box);
  }
  return colors;
}

/** Frames of one module have one colour; groups and what is in no module are grey. */
function colorOf(box: Box, look: FlameLook, palette: Palette): string {
  if (isFound(box, look)) return interpolateRgb(palette.accent, palette.background)(0.35);
  if (look.color !== undefined && look.search === '') return look.color(box.node, palette);
  const [vermilion, blue, teal, plum, grey] = palette.series;
  const hues = [blue, teal, plum, vermilion];
  const number = Array.from(box.node.module).reduce(
    (sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) >>> 0,
    7,
  );
  const hue = box.node.module === '' ? grey : (hues[number % hues.length] ?? grey);
  const shade = (Math.floor(number / hues.length) % 3) * 0.12;
  return interpolateRgb(hue, palette.background)(look.search === '' ? TINT + shade : FAINT);
}

function writeLabel(plot: Plot, box: Box, boxes: readonly Box[], look: FlameLook): void {
  const { x, y, width } = placeOf(box, boxes, look, plot);
  if (width < LABEL_FROM_PX) return;
  const room = Math.floor((width - 8) / CHARACTER_PX);
  const label = labelWithin(box.node, room);
  plot.svg
    .append('text')
    .attr('x', x + 4)
    .attr('y', y + ROW_PX / 2)
    .attr('dy', '0.32em')
    .attr('font-size', 11)
    .attr('font-weight', isFound(box, look) || (box.spine && box.row > 0) ? 600 : 400)
    .attr('pointer-events', 'none')
    .attr('fill', look.search === '' || isFound(box, look) ? plot.palette.text : plot.palette.muted)
    .text(label);
}

/** A frame's label in so many characters: where it is too long its module goes first, which the colour tells too. */
export function labelWithin({ label, module }: Pick<FlameNode, 'label' | 'module'>, room: number): string {
  if (widthOf(label) <= room) return fitted(label, room);
  const isPrefixed = module !== '' && label.length > module.length && label.startsWith(module);
  const short = isPrefixed ? label.slice(module.length).replace(/^!/, '') : label;
  return fittedLabel(short, room);
}
