import * as d3 from 'd3';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import {
  drawCountAxis,
  drawTimeAxis,
  drawValueAxis,
  lineColor,
  timeScale,
  type Chart,
  type LegendEntry,
  type Margins,
  type Palette,
  type TimeChart,
} from '../kit/index.ts';
import { costOf, type Growth } from '../../shared/growth/index.ts';
import type { ThreadsModel } from './model.ts';

export const MARGINS: Margins = { top: 12, right: 16, bottom: 24, left: 64 };
const DOT_PX = 2.5;

/** What the lines are. */
export function liveLegend(palette: Palette, { lines }: ThreadsModel): readonly LegendEntry[] {
  return lines.map(({ label }, index) => ({ label, color: lineColor(palette, index) }));
}

/** Live threads of processes over time. */
export function liveChart({ lines, steps, origin_ns }: ThreadsModel): TimeChart {
  const most = d3.max(lines, ({ live }) => d3.max(live)) ?? 0;
  return (plot, range) => {
    const x = timeScale(range, plot.width).clamp(true);
    const y = d3.scaleLinear([0, Math.max(1, most)], [plot.height, 0]);
    drawTimeAxis(plot, range, origin_ns);
    drawCountAxis(plot, y, y.ticks(5));
    lines.forEach(({ live }, index) =>
      plot.stroke(lineColor(plot.palette, index), (pen) =>
        live.forEach((count, step) => {
          const at = x(steps.ts + step * steps.dur);
          if (step === 0) pen.moveTo(at, y(count));
          else pen.lineTo(at, y(count));
        }),
      ),
    );
  };
}

/** What the bars mean. A rate per second would make hundreds of the one that falls into a short step. */
export function ratesLegend({ series }: Palette, { steps }: ThreadsModel): readonly LegendEntry[] {
  const step = formatDuration(steps.dur);
  return [
    { label: `threads created in each ${step} (up)`, color: series[1] },
    { label: `ended in each ${step} (down)`, color: series[0] },
  ];
}

/** Creations of threads upwards, ends downwards. */
export function ratesChart({ created, ended, steps, origin_ns }: ThreadsModel): TimeChart {
  const [up, down] = [d3.max(created) ?? 0, d3.max(ended) ?? 0];
  const least = Math.max(1, (up + down) / 8);
  return (plot, range) => {
    const x = timeScale(range, plot.width).clamp(true);
    const y = d3.scaleLinear([-Math.max(down, least), Math.max(up, least)], [plot.height, 0]);
    drawTimeAxis(plot, range, origin_ns);
    drawValueAxis(plot, y, 'left', (value) => formatCount(Math.abs(Math.round(value))));
    for (const [counts, color, sign] of [
      [created, plot.palette.series[1], 1],
      [ended, plot.palette.series[0], -1],
    ] as const) {
      plot.fill(color, (pen) =>
        counts.forEach((count, step) => {
          if (count === 0) return;
          const left = x(steps.ts + step * steps.dur);
          const width = Math.max(1, x(steps.ts + (step + 1) * steps.dur) - left);
          const far = y(sign * count);
          pen.rect(left, Math.min(far, y(0)), width, Math.abs(far - y(0)));
        }),
      );
    }
  };
}

/** What the marks mean. */
export function growthLegend({ series }: Palette, { fit }: Growth): readonly LegendEntry[] {
  return [
    {
      label: 'from one to the next: the middle one of each stretch, with the quarters around it',
      color: series[1],
    },
    { label: `what fits best: ${fit.order}`, color: series[0] },
  ];
}

/** The cost of one, over how many there were before it. */
export function growthChart({ bins, fit }: Growth): Chart {
  const most_n = bins.at(-1)?.n ?? 1;
  const most_ns = d3.max(bins, ({ cost_ns, high_ns }) => Math.min(high_ns, 2 * cost_ns)) ?? 1;
  return (plot) => {
    const x = d3.scaleLinear([0, Math.max(1, most_n)], [0, plot.width]);
    const y = d3.scaleLinear([0, Math.max(1, most_ns)], [plot.height, 0]).clamp(true);
    drawValueAxis(plot, x, 'bottom', (value) => formatCount(Math.round(value)));
    drawValueAxis(plot, y, 'left', formatDuration);
    const [fitted, measured] = plot.palette.series;
    plot.stroke(measured, (pen) => {
      for (const { n, low_ns, high_ns } of bins) {
        pen.moveTo(x(n), y(low_ns));
        pen.lineTo(x(n), y(high_ns));
      }
    });
    plot.fill(measured, (pen) => {
      for (const { n, cost_ns } of bins) {
        pen.moveTo(x(n) + DOT_PX, y(cost_ns));
        pen.arc(x(n), y(cost_ns), DOT_PX, 0, 2 * Math.PI);
      }
    });
    // Twice, a pixel apart: the line that counts is the thicker.
    for (const lower of [0, 1]) {
      plot.stroke(fitted, (pen) =>
        bins.forEach(({ n }, at) => {
          if (at === 0) pen.moveTo(x(n), y(costOf(fit, n)) + lower);
          else pen.lineTo(x(n), y(costOf(fit, n)) + lower);
        }),
      );
    }
  };
}
