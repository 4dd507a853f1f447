import { OWNER_LABELS } from '../../shared/causes/index.ts';
import { formatDuration } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  addLabel,
  fittedLabel,
  LABEL_CHARACTER_PX,
  LANE_GAP_PX,
  LANE_NAME_CHARACTERS,
  LANE_PX,
  type LaneChart,
  type LaneSpace,
  type LegendEntry,
  type Palette,
  type Plot,
} from '../kit/index.ts';
import { HEIGHTS, waterfallOf, type LaneStretch, type LaneWake, type Look, type Waterfall } from './lanes.ts';
import type { ExplainedDelay } from './model.ts';

const LOOKS: readonly Look[] = ['waits', 'blocked', 'unknown', 'ready', 'ran'];

function colorOf(look: Look, { series, muted }: Palette): string {
  switch (look) {
    case 'ran':
      return series[1];
    case 'ready':
      return series[0];
    case 'blocked':
      return series[4];
    case 'unknown':
    case 'waits':
      return muted;
  }
}

/** What the marks mean. */
export function legend(palette: Palette): readonly LegendEntry[] {
  const entry = (label: string, look: Look): LegendEntry => ({ label, color: colorOf(look, palette) });
  return [
    entry('ran (full height)', 'ran'),
    entry('ready (three quarters)', 'ready'),
    entry('blocked, no thread behind (half)', 'blocked'),
    entry('not explained or not recorded (half)', 'unknown'),
    entry('blocked until the arrow (thin)', 'waits'),
  ];
}

/** The waterfall of a delay. */
export function waterfallChart(
  delay: ExplainedDelay,
  origin_ns: number,
): LaneChart & { readonly lanes: Waterfall } {
  const lanes = waterfallOf(delay);
  return {
    lanes,
    origin_ns,
    lane_px: LANE_PX,
    gap_px: LANE_GAP_PX,
    names: lanes.threads.map((thread) => {
      const of = delay.threads[thread];
      return [of === undefined ? '' : fittedLabel(threadLabel(of), LANE_NAME_CHARACTERS)];
    }),
    legend,
    draw(plot, space) {
      drawStretches(plot, lanes.stretches, space);
      for (const wake of lanes.wakes) drawWake(plot, wake, space);
    },
  };
}

function drawStretches(
  plot: Plot,
  stretches: readonly LaneStretch[],
  { range, x, top, lanes }: LaneSpace,
): void {
  const seen = stretches.filter(
    ({ lane, ts, dur }) =>
      lane >= lanes.first && lane < lanes.end && ts < range.end && ts + dur > range.start,
  );
  for (const look of LOOKS) {
    const height = HEIGHTS[look] * LANE_PX;
    plot.fill(colorOf(look, plot.palette), (pen) => {
      for (const { lane, ts, dur, look: own } of seen) {
        if (own !== look) continue;
        pen.rect(x(ts), top(lane) + LANE_PX - height, Math.max(0.5, x(ts + dur) - x(ts)), height);
      }
    });
  }
  for (const { lane, ts, dur, part } of seen) {
    if (part === null) continue;
    const text = `${OWNER_LABELS[part.owner]} ${formatDuration(dur)}`;
    if (x(ts + dur) - x(ts) < text.length * LABEL_CHARACTER_PX + 8) continue;
    addLabel(plot, text, x(ts) + 4, top(lane) + LANE_PX - 4, { color: plot.palette.background })
      .attr('class', 'span-label')
      .attr('pointer-events', 'none');
  }
}

function drawWake(plot: Plot, { ts, from, to }: LaneWake, { range, x, top }: LaneSpace): void {
  if (ts < range.start || ts > range.end) return;
  const [start, target] = [top(from) + LANE_PX / 2, top(to) + LANE_PX / 2];
  const back = target > start ? -6 : 6;
  const wake = plot.svg.append('g').attr('class', 'wake').attr('fill', plot.palette.text);
  wake
    .append('line')
    .attr('x1', x(ts))
    .attr('x2', x(ts))
    .attr('y1', start)
    .attr('y2', target + back)
    .attr('stroke', plot.palette.text);
  wake.append('path').attr('d', `M${x(ts)},${target}l-3.5,${back}h7z`);
}

/** What lies in a lane at a time; parts lie over blocks. */
export function stretchAt(
  { stretches }: Waterfall,
  lane: number,
  ts: number,
  reach_ns: number,
): LaneStretch | null {
  return (
    stretches
      .filter((one) => one.lane === lane && one.ts <= ts + reach_ns && ts - reach_ns <= one.ts + one.dur)
      .at(-1) ?? null
  );
}

/** The time that the waterfall shows. */
export function spanOf({ ts, dur }: ExplainedDelay): TimeRange {
  return { start: ts, end: ts + dur };
}
