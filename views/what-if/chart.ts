import { scaleLinear } from 'd3';
import { formatDuration } from '../../shared/model/index.ts';
import { addLabel, type Margins, type Plot } from '../kit/index.ts';
import type { Tried } from './load.ts';

export const MARGINS: Margins = { top: 4, right: 96, bottom: 6, left: 190 };
const ROW_PX = 26;
const BAR_PX = 14;

/** The height of the chart with its margins, in px. */
export const chartHeight = (tried: readonly Tried[]): number =>
  MARGINS.top + (tried.length + 1) * ROW_PX + MARGINS.bottom;

/** The recorded wait, and below it a bar for each change; a line shows how far the estimate may be off. */
export function drawTried(plot: Plot, tried: readonly Tried[]): void {
  const recorded_ns = tried[0]?.recorded_ns ?? 0;
  const most = Math.max(recorded_ns, ...tried.map(({ estimate_ns }) => estimate_ns), 1);
  const x = scaleLinear([0, most], [0, plot.width]).clamp(true);
  const rows = [{ change: 'as recorded', estimate_ns: recorded_ns, error_ns: 0 }, ...tried];
  const top = (row: number) => row * ROW_PX + (ROW_PX - BAR_PX) / 2;
  for (const isRecorded of [true, false])
    plot.fill(plot.palette.series[isRecorded ? 4 : 1], (pen) => {
      rows.forEach(({ estimate_ns }, row) => {
        if ((row === 0) === isRecorded) pen.rect(0, top(row), Math.max(1, x(estimate_ns)), BAR_PX);
      });
    });
  plot.stroke(plot.palette.text, (pen) => {
    rows.forEach(({ estimate_ns, error_ns }, row) => {
      if (error_ns === 0) return;
      const y = top(row) + BAR_PX / 2;
      pen.moveTo(x(Math.max(0, estimate_ns - error_ns)), y);
      pen.lineTo(x(estimate_ns + error_ns), y);
    });
  });
  const text = (words: string, x: number, row: number, at: 'begin' | 'end') =>
    addLabel(plot, words, x, top(row) + BAR_PX - 3, { color: plot.palette.text, at, size_px: 11.5 });
  rows.forEach(({ change, estimate_ns, error_ns }, row) => {
    text(change, -10, row, 'end');
    text(formatDuration(estimate_ns), x(estimate_ns + error_ns) + 8, row, 'begin');
  });
}
