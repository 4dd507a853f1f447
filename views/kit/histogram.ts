import * as d3 from 'd3';
import { drawCountAxis, drawDurationAxis, durationScale } from './axes.ts';
import type { Plot } from './plot.ts';

/** How many durations lie from `from_ns` (inside) to `to_ns` (outside). */
export interface DurationBin {
  readonly from_ns: number;
  readonly to_ns: number;
  readonly count: number;
}

/** A named duration, marked by a line. */
export interface DurationMark {
  readonly label: string;
  readonly at_ns: number;
}

/** The scales of a histogram of durations: log across, and up one that shows a single one beside millions. */
export function histogramScales(bins: readonly DurationBin[], width: number, height: number) {
  const most = d3.max(bins, (bin) => bin.count) ?? 1;
  return {
    x: durationScale(bins[0]?.from_ns ?? 1e3, bins.at(-1)?.to_ns ?? 1e9, [0, width]),
    y: d3.scaleSymlog([0, most], [height, 0]).constant(1),
    most,
  };
}

/** Draws a histogram of durations on log axes, with marks for percentiles. */
export function drawHistogram(
  plot: Plot,
  bins: readonly DurationBin[],
  marks: readonly DurationMark[],
): void {
  const { x, y, most } = histogramScales(bins, plot.width, plot.height);
  const powers = d3.range(0, Math.ceil(Math.log10(most + 1)) + 1).map((power) => 10 ** power);
  const shown = powers.filter((power) => power <= most);
  drawCountAxis(plot, y, plot.height < shown.length * 18 ? shown.filter((_, i) => i % 2 === 0) : shown);
  drawDurationAxis(plot, x, 'bottom');
  plot.fill(plot.palette.series[1], (pen) => {
    for (const bin of bins) {
      const left = x(bin.from_ns);
      const step = x(bin.to_ns) - left;
      const width = step > 4 ? step - 1 : step;
      if (bin.count > 0) pen.rect(left, y(bin.count), width, plot.height - y(bin.count));
    }
  });
  drawMarks(plot, x, marks);
}

/** Lines with labels above the plot; a label that would cover its neighbour moves up a row. */
function drawMarks(plot: Plot, x: (duration_ns: number) => number, marks: readonly DurationMark[]): void {
  const ROW_PX = 12;
  const ROOM_PX = 30;
  const rowEnds: number[] = [];
  for (const mark of [...marks].sort((a, b) => a.at_ns - b.at_ns)) {
    const left = x(mark.at_ns);
    const free = rowEnds.findIndex((end) => left - end >= ROOM_PX);
    const row = free === -1 ? rowEnds.length : free;
    rowEnds[row] = left;
    plot.svg
      .append('line')
      .attr('x1', left)
      .attr('x2', left)
      .attr('y1', -row * ROW_PX)
      .attr('y2', plot.height)
      .attr('stroke', plot.palette.series[0])
      .attr('stroke-dasharray', '3 2');
    plot.svg
      .append('text')
      .attr('x', left)
      .attr('y', -4 - row * ROW_PX)
      .attr('text-anchor', 'middle')
      .attr('font-size', 10.5)
      .attr('fill', plot.palette.text)
      .text(mark.label);
  }
}
