import * as d3 from 'd3';
import { formatTimeTick } from '../../shared/model/index.ts';
import {
  addLabel,
  drawTimeAxis,
  lineColor,
  timeScale,
  type LegendEntry,
  type Margins,
  type Palette,
  type TimeChart,
} from '../kit/index.ts';
import type { RunawayModel } from './model.ts';

export const MARGINS: Margins = { top: 14, right: 16, bottom: 24, left: 64 };

/** The scale from CPU time to px. */
export function timeUsedScale({ lines }: RunawayModel, height: number) {
  const most = d3.max(lines, ({ ran_ns }) => ran_ns.at(-1)) ?? 1;
  return d3.scaleLinear([0, Math.max(1, most)], [height, 0]);
}

/** How the CPU time of threads grew. */
export function runawayChart(model: RunawayModel): TimeChart {
  return (plot, range) => {
    const x = timeScale(range, plot.width).clamp(true);
    const y = timeUsedScale(model, plot.height);
    drawTimeAxis(plot, range, model.origin_ns);
    const ticks = y.ticks(5);
    const step_ns = (ticks[1] ?? 1) - (ticks[0] ?? 0);
    for (const tick of ticks) {
      plot.stroke(plot.palette.grid, (pen) => {
        pen.moveTo(0, Math.round(y(tick)) + 0.5);
        pen.lineTo(plot.width, Math.round(y(tick)) + 0.5);
      });
      const look = { color: plot.palette.muted, at: 'end', isCentred: true } as const;
      addLabel(plot, formatTimeTick(tick, 0, step_ns), -8, y(tick), look);
    }
    model.lines.forEach(({ ts, ran_ns }, index) =>
      plot.stroke(lineColor(plot.palette, index), (pen) =>
        ts.forEach((at, point) => {
          if (point === 0) pen.moveTo(x(at), y(ran_ns[point] ?? 0));
          else pen.lineTo(x(at), y(ran_ns[point] ?? 0));
        }),
      ),
    );
  };
}

/** What the lines are. */
export function runawayLegend(palette: Palette, { lines }: RunawayModel): readonly LegendEntry[] {
  return lines.map(({ label }, index) => ({ label, color: lineColor(palette, index) }));
}
