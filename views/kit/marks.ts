import type { Mark, TimeRange } from '../../shared/view/index.ts';
import { markLetter } from '../../shared/view/index.ts';
import { timeScale } from './axes.ts';
import type { Palette } from './palette.ts';
import type { Plot } from './plot.ts';

const FLAG_WIDTH_PX = 13;
const FLAG_HEIGHT_PX = 13;

/** The colour of a mark; its letter tells it from others of the same colour. */
export function markColor({ series, accent, text }: Palette, { slot }: Mark): string {
  const colors = [series[0], series[1], series[2], series[3], accent, text];
  return colors[slot % colors.length] ?? text;
}

/** Draws marks in a plot that shows `range`: a line over the whole height, with the mark's letter on top. */
export function drawMarks(plot: Plot, range: TimeRange, marks: readonly Mark[]): void {
  const x = timeScale(range, plot.width);
  const seen = marks.filter(({ ts }) => range.start <= ts && ts <= range.end).sort((a, b) => a.ts - b.ts);
  const rowEnds: number[] = [];
  for (const mark of seen) {
    const at = x(mark.ts);
    const left = Math.max(0, Math.min(plot.width - FLAG_WIDTH_PX, at - FLAG_WIDTH_PX / 2));
    const free = rowEnds.findIndex((end) => end <= left);
    const row = free === -1 ? rowEnds.length : free;
    rowEnds[row] = left + FLAG_WIDTH_PX;
    drawMark(plot, mark, at, left, row * FLAG_HEIGHT_PX);
  }
}

function drawMark(plot: Plot, mark: Mark, at: number, left: number, top: number): void {
  const color = markColor(plot.palette, mark);
  const group = plot.svg.append('g').attr('class', 'mark').attr('pointer-events', 'none');
  group
    .append('line')
    .attr('x1', at)
    .attr('x2', at)
    .attr('y2', plot.height)
    .attr('stroke', color)
    .attr('stroke-width', 1.5);
  group
    .append('rect')
    .attr('x', left)
    .attr('y', top)
    .attr('width', FLAG_WIDTH_PX)
    .attr('height', FLAG_HEIGHT_PX)
    .attr('rx', 2)
    .attr('fill', plot.palette.background)
    .attr('stroke', color)
    .attr('stroke-width', 1.5);
  group
    .append('text')
    .attr('x', left + FLAG_WIDTH_PX / 2)
    .attr('y', top + FLAG_HEIGHT_PX / 2)
    .attr('dy', '0.36em')
    .attr('text-anchor', 'middle')
    .attr('font-size', 10)
    .attr('font-weight', 700)
    .attr('fill', plot.palette.text)
    .text(markLetter(mark));
}
