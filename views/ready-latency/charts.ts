import type { Selection as D3Selection } from 'd3';
import { formatDuration } from '../../shared/model/index.ts';
import type { Meanwhile, ReadyWait } from '../../shared/ready-waits/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import { STANDINGS, type Standing } from '../../shared/why-late/index.ts';
import {
  drawLanes,
  drawTimeAxis,
  DurationBars,
  LANE_GAP_PX,
  LANE_PX,
  timeScale,
  type LegendEntry,
  type Margins,
  type Palette,
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

/** The listed waits. */
export function waitsChart({ waits, origin_ns }: ReadyLatencyModel): TimeChart {
  const bars = new DurationBars(waits);
  const isRanked = ({ rank }: ReadyWait) => rank !== null && rank > 0;
  const isPreempted = ({ cause }: ReadyWait) => cause === 'preempted';
  return (plot, range) =>
    bars.draw(plot, range, origin_ns, ({ series: [ranked, woken, preempted] }) => [
      { color: preempted, height_px: 2, has: (wait) => !isRanked(wait) && isPreempted(wait) },
      { color: woken, height_px: 2, has: (wait) => !isRanked(wait) && !isPreempted(wait) },
      { color: ranked, height_px: 4, has: isRanked },
    ]);
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
