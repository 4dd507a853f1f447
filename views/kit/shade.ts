import type { TimeRange } from '../../shared/view/index.ts';
import { timeScale } from './axes.ts';
import type { Plot } from './plot.ts';

/** Shades a stretch of time over the whole height of a plot that shows `range`; nothing if it lies outside. */
export function drawShade(plot: Plot, range: TimeRange, span: TimeRange): void {
  if (span.end < range.start || span.start > range.end) return;
  const x = timeScale(range, plot.width).clamp(true);
  const left = x(span.start);
  plot.svg
    .append('rect')
    .attr('class', 'shade')
    .attr('x', left)
    .attr('width', Math.max(1, x(span.end) - left))
    .attr('height', plot.height)
    .attr('fill', plot.palette.shade)
    .attr('stroke', plot.palette.accent)
    .attr('stroke-opacity', 0.6)
    .attr('pointer-events', 'none');
}
