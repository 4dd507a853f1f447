import type { TimeRange } from '../../shared/view/index.ts';
import { timeScale } from './axes.ts';
import { hatch } from './hatch.ts';
import type { Plot } from './plot.ts';

/** A span in a lane. Several that start together, with shares below 1, stand for what happened in a stretch of time. */
export interface LaneSpan {
  readonly lane: number;
  readonly ts: number;
  readonly dur: number;
  /** Which series it belongs to: an index into the colours. */
  readonly series: number;
  /** The part of the lane's height that it takes, and where that starts, from the bottom; 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** The height of a lane in px, and the gap below it. */
export const LANE_PX = 18;
export const LANE_GAP_PX = 3;

/**
 * Draws spans in lanes, one lane below the other. `known` is the time in which the spans are known. Within it, a lane is
 * hatched where it has no span.
 */
export function drawLanes(
  plot: Plot,
  labels: readonly string[],
  spans: readonly LaneSpan[],
  colors: readonly string[],
  range: TimeRange,
  known: TimeRange,
): void {
  const x = timeScale(range, plot.width);
  const top = (lane: number) => lane * (LANE_PX + LANE_GAP_PX);
  const inside = x.copy().clamp(true);
  const hatched = { left: inside(known.start), right: inside(known.end) };
  plot.stroke(plot.palette.hatch, (pen) =>
    labels.forEach((_, lane) => hatch(pen, { ...hatched, top: top(lane), bottom: top(lane) + LANE_PX })),
  );
  const visible = spans.filter(({ ts, dur }) => ts < range.end && ts + dur > range.start);
  colors.forEach((color, series) =>
    plot.fill(color, (pen) => {
      for (const span of visible) {
        if (span.series !== series) continue;
        const left = Math.max(0, x(span.ts));
        const width = Math.max(0.5, Math.min(plot.width, x(span.ts + span.dur)) - left);
        const height = (span.to - span.from) * LANE_PX;
        pen.rect(left, top(span.lane) + LANE_PX - span.to * LANE_PX, width, height);
      }
    }),
  );
  nameLanes(plot, labels, (lane) => top(lane) + LANE_PX / 2, plot.palette.muted);
}

/** Writes the name of each lane left of it, in the middle of its height: `middle` in px. */
export function nameLanes(
  plot: Plot,
  names: readonly string[],
  middle: (lane: number) => number,
  color: string,
): void {
  plot.svg
    .selectAll('text.lane')
    .data(names)
    .join('text')
    .attr('class', 'lane')
    .attr('x', -8)
    .attr('y', (_, lane) => middle(lane))
    .attr('dy', '0.35em')
    .attr('text-anchor', 'end')
    .attr('font-size', 11)
    .attr('fill', color)
    .text((name) => name);
}
