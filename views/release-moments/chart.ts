import {
  drawDurationAxis,
  drawTimeAxis,
  durationScale,
  timeScale,
  type LegendEntry,
  type Margins,
  type Palette,
  type TimeChart,
} from '../kit/index.ts';
import type { ReleaseMomentsModel } from './model.ts';

export const PEAKS_MARGINS: Margins = { top: 12, right: 16, bottom: 24, left: 56 };

/** What the marks mean. */
export function peakLegend({ series }: Palette): readonly LegendEntry[] {
  return [
    { label: 'waiting that ended', color: series[1] },
    { label: 'at least so much: part of it began before the trace (pointed)', color: series[0] },
  ];
}

/** A bar for each step of time, as high as the greatest moment in it. */
export function peaksChart({ peaks, origin_ns }: ReleaseMomentsModel): TimeChart {
  const sums = peaks.map(({ waited_sum_ns }) => waited_sum_ns);
  const low = sums.reduce((least, sum) => Math.min(least, sum), Infinity);
  const high = sums.reduce((most, sum) => Math.max(most, sum), 1);
  return (plot, range) => {
    const x = timeScale(range, plot.width);
    const y = durationScale(Math.min(low, high) / 2, high, [plot.height, 0]);
    drawDurationAxis(plot, y, 'left');
    drawTimeAxis(plot, range, origin_ns);
    const [pointed, plain] = plot.palette.series;
    for (const open of [false, true]) {
      plot.fill(open ? pointed : plain, (pen) => {
        for (const { ts, dur, waited_sum_ns, at_least } of peaks) {
          if (at_least !== open || ts + dur < range.start || ts > range.end) continue;
          const left = Math.max(0, x(ts));
          const width = Math.max(2, Math.min(plot.width, x(ts + dur)) - left - 0.5);
          const top = y(waited_sum_ns);
          pen.rect(left, top, width, plot.height - top);
          if (!open) continue;
          const middle = left + width / 2;
          pen.moveTo(middle - 4, top);
          pen.lineTo(middle, top - 7);
          pen.lineTo(middle + 4, top);
          pen.closePath();
        }
      });
    }
  };
}
