import type { Selection as D3Selection } from 'd3';
import { formatDuration } from '../../shared/model/index.ts';
import type { Meanwhile, ReadyWait } from '../../shared/ready-waits/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { STANDINGS, type Standing } from '../../shared/why-late/index.ts';
import {
  drawDurationAxis,
  drawHistogram,
  drawLanes,
  drawTimeAxis,
  durationScale,
  LANE_GAP_PX,
  LANE_PX,
  timeScale,
  type LegendEntry,
  type Margins,
  type Palette,
  type Pen,
  type Picture,
  type Plot,
  type TimeChart,
} from '../kit/index.ts';
import type { ReadyLatencyModel } from './model.ts';
import { laneSpans } from './lane-spans.ts';
import { STANDING_LABELS } from './model.ts';

export const WAITS_MARGINS: Margins = { top: 10, right: 16, bottom: 24, left: 56 };
export const LANES_MARGINS: Margins = { top: 4, right: 16, bottom: 24, left: 56 };

/** The height of the lanes chart with its margins, in px. */
export function lanesHeight(cpuCount: number): number {
  return LANES_MARGINS.top + cpuCount * (LANE_PX + LANE_GAP_PX) + LANES_MARGINS.bottom;
}

/** What the marks of the waits chart mean; rank stands out in thickness as well as in colour. */
export function waitLegend(palette: Palette): readonly LegendEntry[] {
  return [
    { label: 'rank above 0', color: palette.series[0] },
    { label: 'woken', color: palette.series[1] },
    { label: 'preempted', color: palette.series[2] },
  ];
}

/** What the colours of the lanes mean, for the standings that occur. */
export function standingLegend(palette: Palette, meanwhile: Meanwhile): readonly LegendEntry[] {
  return STANDINGS.filter((standing) => meanwhile.by_standing[standing] > 0).map((standing) => ({
    label: STANDING_LABELS[standing],
    color: standing === 'idle' ? palette.muted : standingColor(palette, standing),
    mark: standing === 'idle' ? 'hatch' : undefined,
  }));
}

function standingColor(palette: Palette, standing: Standing): string {
  const [better, priority, behind, unknown, other] = palette.series;
  return { better_rank: better, priority, behind, unknown, idle: other }[standing];
}

/** The scales of the waits chart: time across, length of the wait up. */
export function waitScales(model: ReadyLatencyModel, range: TimeRange, plot: Plot) {
  const shortest = model.waits.at(-1)?.dur ?? 1e3;
  const longest = model.waits[0]?.dur ?? 1e9;
  return {
    x: timeScale(range, plot.width),
    y: durationScale(shortest, longest, [plot.height, 0]),
  };
}

/** The listed waits: each a bar from ready to switch-in, as high as it is long. */
export function waitsChart(model: ReadyLatencyModel): TimeChart {
  return (plot, range) => {
    const { x, y } = waitScales(model, range, plot);
    const [ranked, woken, preempted] = plot.palette.series;
    drawDurationAxis(plot, y, 'left');
    drawTimeAxis(plot, range, model.origin_ns);
    const bars = (color: string, thickness: number, shown: (wait: ReadyWait) => boolean) =>
      plot.fill(color, (pen) => {
        for (const wait of model.waits) if (shown(wait)) waitBar(pen, wait, x, y, plot.width, thickness);
      });
    const isRanked = (wait: ReadyWait) => wait.rank !== null && wait.rank > 0;
    bars(preempted, 2, (wait) => !isRanked(wait) && wait.cause === 'preempted');
    bars(woken, 2, (wait) => !isRanked(wait) && wait.cause !== 'preempted');
    bars(ranked, 4, isRanked);
  };
}

function waitBar(
  pen: Pen,
  wait: ReadyWait,
  x: (ts: number) => number,
  y: (dur: number) => number,
  plotWidth: number,
  thickness: number,
): void {
  const left = Math.max(0, x(wait.ts));
  const right = Math.min(plotWidth, x(wait.ts + wait.dur));
  if (right < 0 || left > plotWidth) return;
  pen.rect(left, y(wait.dur) - thickness / 2, Math.max(thickness, right - left), thickness);
}

/** All waits by length, with percentiles. */
export function lengthsChart(model: ReadyLatencyModel): Picture['draw'] {
  const { p50_ns, p90_ns, p99_ns, max_ns } = model.total;
  const marks = [
    { label: 'p50', at_ns: p50_ns },
    { label: 'p90', at_ns: p90_ns },
    { label: 'p99', at_ns: p99_ns },
    { label: 'max', at_ns: max_ns },
  ];
  return (plot, _, frame) => drawHistogram(plot, model.histogram, marks, frame);
}

/** What ran on each CPU meanwhile; lines mark the ends of the wait. */
export function lanesChart(meanwhile: Meanwhile, origin_ns: number): TimeChart {
  const labels = Array.from({ length: meanwhile.cpu_count }, (_, cpu) => `CPU ${cpu}`);
  const spans = laneSpans(meanwhile.spans);
  return (plot, range) => {
    drawTimeAxis(plot, range, origin_ns);
    const colors = STANDINGS.map((standing) => standingColor(plot.palette, standing));
    const { ts, dur } = meanwhile.wait;
    drawLanes(plot, labels, spans, colors, range, { start: ts, end: ts + dur });
    const x = timeScale(range, plot.width);
    markEdge(plot.svg, x(ts), plot, 'ready');
    if (meanwhile.wait.ended) markEdge(plot.svg, x(ts + dur), plot, 'ran');
  };
}

function markEdge(
  svg: D3Selection<SVGGElement, unknown, null, undefined>,
  x: number,
  plot: Plot,
  name: string,
): void {
  if (x < 0 || x > plot.width) return;
  svg
    .append('line')
    .attr('class', name)
    .attr('x1', x)
    .attr('x2', x)
    .attr('y2', plot.height)
    .attr('stroke', plot.palette.accent)
    .attr('stroke-width', 1.5);
}

/** What a pointer at a wait is told. */
export function waitLines(wait: ReadyWait): readonly string[] {
  return [
    threadLabel(wait),
    `ready for ${wait.ended ? '' : 'at least '}${formatDuration(wait.dur)}, ${wait.cause}`,
    `priority ${wait.priority ?? '–'}, rank ${wait.rank ?? '–'}${wait.cpu === null ? '' : `, then on CPU ${wait.cpu}`}`,
    ...(wait.readied_by === null ? [] : [`readied by ${wait.readied_by}`]),
  ];
}
