import { formatDuration } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  addLabel,
  drawLanes,
  drawTimeAxis,
  fittedLabel,
  LABEL_CHARACTER_PX,
  LANE_GAP_PX,
  LANE_PX,
  nameCharacters,
  timeScale,
  type LegendEntry,
  type Margins,
  type Palette,
  type Plot,
  type TimeChart,
} from '../kit/index.ts';
import type { Lanes, StateSpan, ThreadState, Wake } from './lanes.ts';

export const CHAIN_MARGINS: Margins = { top: 6, right: 16, bottom: 24, left: 200 };

const STATES: readonly ThreadState[] = ['blocked', 'ready', 'running'];
/** A state shows in height as well as in colour: the part of the lane that it fills, from the bottom. */
const HEIGHTS: Readonly<Record<ThreadState, number>> = { blocked: 0.25, ready: 0.75, running: 1 };
const LABELS: Readonly<Record<ThreadState, string>> = { blocked: 'blocked', ready: 'ready', running: 'ran' };

/** The height of the chart with its margins, in px. */
export function chainHeight(lanes: Lanes): number {
  return CHAIN_MARGINS.top + lanes.threads.length * (LANE_PX + LANE_GAP_PX) + CHAIN_MARGINS.bottom;
}

/** The time that the lanes cover; null where there is nothing. */
export function chainSpan({ spans }: Lanes): TimeRange | null {
  if (spans.length === 0) return null;
  return {
    start: spans.reduce((first, { ts }) => Math.min(first, ts), Infinity),
    end: spans.reduce((last, { ts, dur }) => Math.max(last, ts + dur), -Infinity),
  };
}

/** What the marks mean. */
export function stateLegend(palette: Palette): readonly LegendEntry[] {
  const [blocked, ready, running] = stateColors(palette);
  return [
    { label: 'running (full height)', color: running },
    { label: 'ready (three quarters high)', color: ready },
    { label: 'blocked (thin)', color: blocked },
    { label: 'wake (an arrow; a dot where the waker is no thread, or not shown)', color: palette.text },
  ];
}

function stateColors({ series }: Palette): readonly [string, string, string] {
  return [series[4], series[0], series[1]];
}

/** Threads in lanes, what they did, and who woke whom. `chosen` is the index of the link or release to mark. */
export function chainChart(lanes: Lanes, origin_ns: number, chosen: number | null): TimeChart {
  const labels = lanes.threads.map((thread) =>
    fittedLabel(threadLabel(thread), nameCharacters(CHAIN_MARGINS.left)),
  );
  const parts = lanes.spans.map(({ lane, ts, dur, state }) => {
    return { lane, ts, dur, series: STATES.indexOf(state), from: 0, to: HEIGHTS[state] };
  });
  return (plot, range) => {
    drawTimeAxis(plot, range, origin_ns);
    const nowhere = { start: range.start, end: range.start };
    drawLanes(plot, labels, parts, stateColors(plot.palette), range, nowhere);
    for (const span of lanes.spans) {
      if (span.of === chosen && span.state === 'running') markSpan(plot, span, range);
      labelSpan(plot, span, range);
    }
    for (const wake of lanes.wakes) drawWake(plot, wake, range);
  };
}

function laneTop(lane: number): number {
  return lane * (LANE_PX + LANE_GAP_PX);
}

/** Where a span lies across the plot, cut off at its edges; null if it does not. */
function across({ start, end }: TimeRange, range: TimeRange, plot: Plot) {
  const x = timeScale(range, plot.width);
  if (end < range.start || start > range.end) return null;
  const left = Math.max(0, x(start));
  return { left, width: Math.max(1, Math.min(plot.width, x(end)) - left) };
}

function labelSpan(plot: Plot, { lane, ts, dur, state }: StateSpan, range: TimeRange): void {
  const place = across({ start: ts, end: ts + dur }, range, plot);
  const text = `${LABELS[state]} ${formatDuration(dur)}`;
  if (place === null || place.width < text.length * LABEL_CHARACTER_PX + 8) return;
  const [foot, color] = state === 'blocked' ? [11, plot.palette.text] : [15, plot.palette.background];
  addLabel(plot, text, place.left + 4, laneTop(lane) + foot, { color })
    .attr('class', 'span-label')
    .attr('pointer-events', 'none');
}

function markSpan(plot: Plot, { lane, ts, dur }: StateSpan, range: TimeRange): void {
  const place = across({ start: ts, end: ts + dur }, range, plot);
  if (place === null) return;
  plot.svg
    .append('rect')
    .attr('x', place.left - 2)
    .attr('y', laneTop(lane) - 1)
    .attr('width', place.width + 4)
    .attr('height', LANE_PX + 2)
    .attr('fill', 'none')
    .attr('stroke', plot.palette.accent)
    .attr('stroke-width', 2);
}

function drawWake(plot: Plot, { ts, from, to }: Wake, range: TimeRange): void {
  if (ts < range.start || ts > range.end) return;
  const x = timeScale(range, plot.width)(ts);
  const target = laneTop(to) + LANE_PX / 2;
  const wake = plot.svg.append('g').attr('class', 'wake').attr('fill', plot.palette.text);
  if (from === null) {
    wake.append('circle').attr('cx', x).attr('cy', target).attr('r', 3.5);
    return;
  }
  const start = laneTop(from) + LANE_PX / 2;
  const back = target > start ? -6 : 6;
  wake
    .append('line')
    .attr('x1', x)
    .attr('x2', x)
    .attr('y1', start)
    .attr('y2', target + back)
    .attr('stroke', plot.palette.text);
  if (from !== to) wake.append('path').attr('d', `M${x},${target}l-3.5,${back}h7z`);
}
