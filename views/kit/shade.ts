import type { TimeRange } from '../../shared/view/index.ts';
import { timeScale } from './axes.ts';
import type { Plot } from './plot.ts';

/** Shades a stretch of time over the whole height of a plot that shows `range`; nothing if it lies outside. */
export function drawShade(plot: Plot, range: TimeRange, span: TimeRange): void {
  if (span.end < range.start || span.start > range.end) return;
  const x = timeScale(range, plot.width).clamp(true);
  drawBand(plot, x(span.start), x(span.end));
}

/** Shades from `one` to `other`, in px across. */
export function drawBand(plot: Plot, one: number, other: number): void {
  const left = Math.max(0, Math.min(one, other));
  const right = Math.min(plot.width, Math.max(one, other));
  plot.svg
    .append('rect')
    .attr('class', 'shade')
    .attr('x', left)
    .attr('width', Math.max(1, right - left))
    .attr('height', plot.height)
    .attr('fill', plot.palette.shade)
    .attr('stroke', plot.palette.accent)
    .attr('stroke-opacity', 0.6)
    .attr('pointer-events', 'none');
}
