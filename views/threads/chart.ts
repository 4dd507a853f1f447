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

/** What the marks mean. */
export function growthLegend({ series }: Palette, { fit }: Growth): readonly LegendEntry[] {
  return [
    {
      label: 'from one to the next: the median of each stretch, with the quartiles',
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
