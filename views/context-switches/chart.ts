import * as d3 from 'd3';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import {
  drawCountAxis,
  drawTimeAxis,
  lineColor,
  timeScale,
  type LegendEntry,
  type Margins,
  type Palette,
  type Plot,
  type TimeChart,
} from '../kit/index.ts';
import type { SwitchesModel } from './model.ts';
import { formatRate, rateIn } from './summary.ts';

export const MARGINS: Margins = { top: 14, right: 96, bottom: 24, left: 52 };

/** A bound is drawn where it is at least this part of the highest rate: below, its line would lie on the axis. */
const BOUND_SEEN = 0.02;

/** The scale from context switches per second to px. */
export function rateScale({ edges, switches }: SwitchesModel, height: number) {
  const highest = switches.reduce((most, _, bucket) => Math.max(most, rateIn(edges, switches, bucket)), 1);
  return d3.scaleLinear([0, highest * 1.05], [height, 0]);
}

/** Context switches per second: an area for all, a line for each large group, and the bounds. */
export function switchesChart(model: SwitchesModel): TimeChart {
  const { edges, switches, series, origin_ns, thresholds } = model;
  return (plot, range) => {
    const y = rateScale(model, plot.height);
    drawCountAxis(plot, y, y.ticks(5));
    drawTimeAxis(plot, range, origin_ns);
    const x = timeScale(range, plot.width).clamp(true);
    const lefts = edges.map(x);
    plot.fill(plot.palette.series[4], (pen) =>
      switches.forEach((_, bucket) => {
        const [left = 0, right = 0] = [lefts[bucket], lefts[bucket + 1]];
        const top = y(rateIn(edges, switches, bucket));
        if (right > left) pen.rect(left, top, right - left, plot.height - top);
      }),
    );
    series.forEach((line, index) =>
      plot.stroke(lineColor(plot.palette, index), (pen) =>
        line.switches.forEach((_, bucket) => {
          const top = y(rateIn(edges, line.switches, bucket));
          if (bucket === 0) pen.moveTo(lefts[0] ?? 0, top);
          else pen.lineTo(lefts[bucket] ?? 0, top);
          pen.lineTo(lefts[bucket + 1] ?? 0, top);
        }),
      ),
    );
    const [, highest = 1] = y.domain();
    for (const { per_s } of thresholds) {
      if (per_s <= highest && per_s >= highest * BOUND_SEEN) drawBound(plot, y(per_s), formatRate(per_s));
    }
  };
}

function drawBound(plot: Plot, y: number, text: string): void {
  plot.svg
    .append('line')
    .attr('x2', plot.width)
    .attr('y1', y)
    .attr('y2', y)
    .attr('stroke', plot.palette.text)
    .attr('stroke-dasharray', '4 3')
    .attr('pointer-events', 'none');
  plot.svg
    .append('text')
    .attr('x', plot.width + 6)
    .attr('y', y)
    .attr('dy', '0.35em')
    .attr('font-size', 11)
    .attr('fill', plot.palette.text)
    .text(text);
}

/** What the colours are. */
export function switchesLegend(palette: Palette, { series }: SwitchesModel): readonly LegendEntry[] {
  return [
    { label: 'all, to idle too', color: palette.series[4], mark: 'fill' },
    ...series.map(({ label }, index): LegendEntry => ({
      label,
      color: lineColor(palette, index),
      mark: 'fill',
    })),
  ];
}

/** What a pointer is told of a time; null outside of the buckets. */
export function rateLines(model: SwitchesModel, ts: number): readonly string[] | null {
  const { edges, switches, to_idle, series, origin_ns } = model;
  const bucket = d3.bisectRight(edges, ts) - 1;
  const [start, end] = [edges[bucket], edges[bucket + 1]];
  if (start === undefined || end === undefined) return null;
  return [
    `${formatRate(rateIn(edges, switches, bucket))} context switches`,
    `${formatDuration(end - start)} from ${formatTime(start, origin_ns)}`,
    `to idle: ${formatRate(rateIn(edges, to_idle, bucket))}`,
    ...series.map((line) => `${line.label}: ${formatRate(rateIn(edges, line.switches, bucket))}`),
  ];
}
