import { formatDuration } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  drawShade,
  drawTimeAxis,
  timeScale,
  type Chart,
  type LegendEntry,
  type Margins,
  type Palette,
  type Pen,
  type Plot,
} from '../kit/index.ts';
import type { Freeze, FrozenLane, FrozenProcessesModel } from './model.ts';

export const MARGINS: Margins = { top: 12, right: 16, bottom: 24, left: 190 };

const LANE_PX = 30;
const GAP_PX = 6;
const BAR_PX = 20;
/** How far a point reaches. */
const POINT_PX = 7;
/** The strip behind a thaw, halfway up the bar. */
const STRIP_PX = 6;
const CHARACTER_PX = 6.4;
const LABEL_CHARACTERS = 28;

/** The height of the chart with its margins, in px. */
export function lanesHeight({ lanes }: FrozenProcessesModel): number {
  return MARGINS.top + lanes.length * (LANE_PX + GAP_PX) + MARGINS.bottom;
}

/** The freeze at a height within the plot and a time; null if there is none. */
export function freezeAt({ lanes }: FrozenProcessesModel, y: number, ts: number): Freeze | null {
  const lane = lanes[Math.floor(y / (LANE_PX + GAP_PX))];
  return lane?.freezes.find((freeze) => freeze.ts <= ts && ts <= lastTs(freeze)) ?? null;
}

function lastTs({ ts, dur, first_run }: Freeze): number {
  return first_run?.ts ?? ts + dur;
}

/** What the marks mean. */
export function freezeLegend({ series }: Palette): readonly LegendEntry[] {
  return [
    {
      label: 'frozen; pointed: since before the trace, or not thawed when it or the process ended',
      color: series[1],
      mark: 'fill',
    },
    { label: 'a thread was readied while frozen (first, tick below)', color: series[0], mark: 'fill' },
    { label: 'thawed, but no thread has run yet', color: series[2], mark: 'fill' },
  ];
}

/** A lane for each process: its freezes as bars, pointed where they are open, and what came of them. */
export function freezeChart(
  { lanes, origin_ns }: FrozenProcessesModel,
  range: () => TimeRange,
  chosen: TimeRange | null,
  dragged: () => TimeRange | null,
): Chart {
  return (plot) => {
    drawTimeAxis(plot, range(), origin_ns);
    const x = timeScale(range(), plot.width).clamp(true);
    const top = (lane: number) => lane * (LANE_PX + GAP_PX);
    const [readied, frozen, thawed] = plot.palette.series;
    const each = (draw: (freeze: Freeze, top: number) => void) =>
      lanes.forEach(({ freezes }, lane) => {
        for (const freeze of freezes) {
          if (freeze.ts < range().end && lastTs(freeze) > range().start) draw(freeze, top(lane));
        }
      });
    plot.fill(thawed, (pen) =>
      each(({ ts, dur, first_run }, top) => {
        if (first_run === null) return;
        const left = x(ts + dur);
        pen.rect(left, top + (BAR_PX - STRIP_PX) / 2, Math.max(1, x(first_run.ts) - left), STRIP_PX);
      }),
    );
    plot.fill(frozen, (pen) => each((freeze, top) => addBar(pen, freeze, range(), x, top)));
    plot.fill(readied, (pen) =>
      each(({ first_readied }, top) => {
        if (first_readied === null || !isWithin(first_readied.ts, range())) return;
        const at = x(first_readied.ts);
        pen.moveTo(at, top + BAR_PX - 2);
        pen.lineTo(at + 4, top + BAR_PX + 7);
        pen.lineTo(at - 4, top + BAR_PX + 7);
        pen.closePath();
      }),
    );
    lanes.forEach((lane, index) => writeName(plot, lane, top(index)));
    each((freeze, top) => writeLength(plot, freeze, x, top));
    for (const span of [chosen, dragged()]) if (span !== null) drawShade(plot, range(), span);
  };
}

function isWithin(ts: number, { start, end }: TimeRange): boolean {
  return start <= ts && ts <= end;
}

/** A bar, pointed at an end that is open and within the range. */
function addBar(
  pen: Pen,
  { ts, dur, start, end }: Freeze,
  range: TimeRange,
  x: (ts: number) => number,
  top: number,
): void {
  const left = x(ts);
  const right = Math.max(left + 1, x(ts + dur));
  const point = Math.min(POINT_PX, (right - left) / 2);
  const leftPoint = start !== 'recorded' && isWithin(ts, range) ? point : 0;
  const rightPoint = end !== 'thawed' && isWithin(ts + dur, range) ? point : 0;
  pen.moveTo(left, top + BAR_PX / 2);
  pen.lineTo(left + leftPoint, top);
  pen.lineTo(right - rightPoint, top);
  pen.lineTo(right, top + BAR_PX / 2);
  pen.lineTo(right - rightPoint, top + BAR_PX);
  pen.lineTo(left + leftPoint, top + BAR_PX);
  pen.closePath();
}

function writeName(plot: Plot, { process, pid }: FrozenLane, top: number): void {
  [process ?? 'unknown process', `pid ${pid}`].forEach((line, index) => {
    const cut = line.length > LABEL_CHARACTERS ? `${line.slice(0, LABEL_CHARACTERS - 1)}…` : line;
    plot.svg
      .append('text')
      .attr('x', -10)
      .attr('y', top + 10 + index * 14)
      .attr('text-anchor', 'end')
      .attr('font-size', 11)
      .attr('fill', index === 0 ? plot.palette.text : plot.palette.muted)
      .text(cut);
  });
}

/** Writes how long a freeze lasts on its bar, if there is room. */
function writeLength(plot: Plot, freeze: Freeze, x: (ts: number) => number, top: number): void {
  const { ts, dur, start, end } = freeze;
  const open = start === 'before_trace' || (start === 'recorded' && end === 'trace_end');
  const text = `frozen ${open ? 'at least ' : ''}${formatDuration(dur)}`;
  const left = x(ts) + POINT_PX + 2;
  if (x(ts + dur) - POINT_PX - left < text.length * CHARACTER_PX) return;
  plot.svg
    .append('text')
    .attr('x', left)
    .attr('y', top + BAR_PX / 2)
    .attr('dy', '0.35em')
    .attr('font-size', 11)
    .attr('pointer-events', 'none')
    .attr('fill', plot.palette.background)
    .text(text);
}
