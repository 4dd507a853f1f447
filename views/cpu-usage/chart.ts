import * as d3 from 'd3';
import { formatDuration, formatShare, formatTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  drawNamedLine,
  drawTimeAxis,
  hatch,
  inkOn,
  seriesColor,
  timeScale,
  widthOf,
  type Frame,
  type LegendEntry,
  type Margins,
  type Palette,
  type Pen,
  type Picture,
  type Plot,
} from '../kit/index.ts';
import type { CpuUsageModel } from './model.ts';

export const MARGINS: Margins = { top: 14, right: 64, bottom: 24, left: 44 };

/** An area at least so high and wide carries its name, in px. */
const LABEL_HEIGHT_PX = 15;
const CHARACTER_PX = 6.4;

/** The scale from CPUs in use to px. */
export function cpuScale(
  model: CpuUsageModel,
  height: number,
  { most }: Frame = usageFrame(model),
): d3.ScaleLinear<number, number> {
  return d3.scaleLinear([0, most], [height, 0]);
}

/** All CPUs. */
export function usageFrame({ cpu_count }: CpuUsageModel): Frame {
  return { most: Math.max(1, cpu_count) };
}

/** Where each series starts and ends in each bucket, in CPUs. */
function stack({ series, edges }: CpuUsageModel): { readonly bottom: number[]; readonly top: number[] }[] {
  const below = new Array<number>(Math.max(0, edges.length - 1)).fill(0);
  return series.map(({ ran_ns }) => {
    const bottom = [...below];
    ran_ns.forEach((ns, bucket) => {
      const length_ns = (edges[bucket + 1] ?? 0) - (edges[bucket] ?? 0);
      below[bucket] = (below[bucket] ?? 0) + ns / length_ns;
    });
    return { bottom, top: [...below] };
  });
}

/** CPU use over time as stacked areas, with lines at one CPU and at all of them. */
export function usageChart(model: CpuUsageModel): Picture['draw'] {
  const areas = stack(model);
  return (plot, range, frame) => {
    const x = timeScale(range, plot.width);
    const y = cpuScale(model, plot.height, frame);
    drawCpuAxis(plot, y);
    drawTimeAxis(plot, range, model.origin_ns);
    const shown = bucketsIn(model, range);
    // Areas may reach over the range while the user zooms: cut off at the plot's edges. Scales are slow to ask: once for
    // each edge, since this is drawn in each frame of a zoom.
    const edges = shown.edges.map((ts) => Math.max(0, Math.min(plot.width, x(ts))));
    const colors = seriesColors(plot.palette, model);
    const drawn = areas.map(({ bottom, top }) => ({
      bottom: bottom.slice(shown.first, shown.after).map(y),
      top: top.slice(shown.first, shown.after).map(y),
    }));
    drawn.forEach((each, index) => {
      plot.fill(colors[index] ?? plot.palette.muted, (pen) => area(pen, edges, each));
    });
    hatchUnknown(plot, model, shown, edges, y);
    drawNamedLine(plot, y(1), '1 CPU', '4 3');
    if (model.cpu_count > 1) drawNamedLine(plot, y(model.cpu_count), `${model.cpu_count} CPUs`, null);
    drawn.forEach((each, index) =>
      label(plot, model.series[index]?.label ?? '', colors[index] ?? plot.palette.muted, edges, each),
    );
  };
}

/** The buckets that a range shows any part of, and their edges. */
interface Shown {
  readonly first: number;
  readonly after: number;
  readonly edges: readonly number[];
}

function bucketsIn({ edges }: CpuUsageModel, { start, end }: TimeRange): Shown {
  const first = Math.max(0, d3.bisectRight(edges, start) - 1);
  const after = Math.max(first, Math.min(edges.length - 1, d3.bisectLeft(edges, end)));
  return { first, after, edges: edges.slice(first, after + 1) };
}

/** Where an area has its lower and its upper edge in each bucket, in px from the top. */
interface Area {
  readonly bottom: readonly number[];
  readonly top: readonly number[];
}

/** A stepped area over buckets with these edges, in px. */
function area(pen: Pen, edges: readonly number[], { bottom, top }: Area): void {
  const last = top.length - 1;
  pen.moveTo(edges[0] ?? 0, bottom[0] ?? 0);
  for (let bucket = 0; bucket <= last; bucket++) {
    pen.lineTo(edges[bucket] ?? 0, top[bucket] ?? 0);
    pen.lineTo(edges[bucket + 1] ?? 0, top[bucket] ?? 0);
  }
  for (let bucket = last; bucket >= 0; bucket--) {
    pen.lineTo(edges[bucket + 1] ?? 0, bottom[bucket] ?? 0);
    pen.lineTo(edges[bucket] ?? 0, bottom[bucket] ?? 0);
  }
  pen.closePath();
}

/** Hatches what was not recorded, from the top down. */
function hatchUnknown(
  plot: Plot,
  { edges, unknown_ns, cpu_count }: CpuUsageModel,
  { first, after }: Shown,
  edges_px: readonly number[],
  y: (cpus: number) => number,
): void {
  const top = y(cpu_count);
  plot.stroke(plot.palette.hatch, (pen) => {
    for (let bucket = first; bucket < after; bucket++) {
      const ns = unknown_ns[bucket] ?? 0;
      if (ns === 0) continue;
      const length_ns = (edges[bucket + 1] ?? 0) - (edges[bucket] ?? 0);
      const bottom = y(cpu_count - ns / length_ns);
      const [left, right] = [edges_px[bucket - first] ?? 0, edges_px[bucket - first + 1] ?? 0];
      hatch(pen, { left, right, top, bottom });
    }
  });
}

/** Writes a series' name where its area is high enough for long enough, at its highest such place. */
function label(
  plot: Plot,
  text: string,
  fill: string,
  lefts: readonly number[],
  { bottom: lows, top: highs }: Area,
): void {
  const room = widthOf(text) * CHARACTER_PX + 8;
  const last = highs.length - 1;
  let best: { readonly at: number; readonly low: number; readonly high: number } | null = null;
  for (let first = 0; first <= last; first++) {
    const left = lefts[first] ?? 0;
    // No room up to the plot's end.
    if ((lefts[last + 1] ?? 0) - left < room) break;
    let [low, high] = [Infinity, -Infinity];
    for (let bucket = first; bucket <= last; bucket++) {
      low = Math.min(low, lows[bucket] ?? 0);
      high = Math.max(high, highs[bucket] ?? 0);
      // Whatever begins here is not better than the best.
      if (low - high < Math.max(LABEL_HEIGHT_PX, best === null ? 0 : best.low - best.high)) break;
      if ((lefts[bucket + 1] ?? 0) - left < room) continue;
      if (best === null || low - high > best.low - best.high) best = { at: left + room / 2, low, high };
      break;
    }
  }
  if (best === null) return;
  plot.svg
    .append('text')
    .attr('class', 'area')
    .attr('x', best.at)
    .attr('y', (best.low + best.high) / 2)
    .attr('dy', '0.35em')
    .attr('text-anchor', 'middle')
    .attr('font-size', 11)
    .attr('pointer-events', 'none')
    .attr('fill', inkOn(plot.palette, fill))
    .attr('stroke', fill)
    .attr('stroke-width', 3)
    .attr('stroke-linejoin', 'round')
    .attr('paint-order', 'stroke')
    .text(text);
}

function drawCpuAxis(plot: Plot, y: d3.ScaleLinear<number, number>): void {
  const ticks = y.ticks(Math.max(2, plot.height / 40)).filter(Number.isInteger);
  plot.stroke(plot.palette.grid, (pen) => {
    for (const tick of ticks) {
      pen.moveTo(0, Math.round(y(tick)) + 0.5);
      pen.lineTo(plot.width, Math.round(y(tick)) + 0.5);
    }
  });
  const group = plot.svg
    .append('g')
    .call(d3.axisLeft(y).tickValues(ticks).tickFormat(d3.format('d')).tickSize(0).tickPadding(6));
  group.attr('font-family', null).attr('font-size', 11).attr('pointer-events', 'none');
  group.select('.domain').remove();
  group.selectAll('.tick text').attr('fill', plot.palette.muted);
}

/** What a pointer is told at a time and a number of CPUs; null outside of the buckets. */
export function usageLines(model: CpuUsageModel, ts: number, cpus: number): readonly string[] | null {
  const { edges, series, hidden_ns, idle_ns, unknown_ns, cpu_count, origin_ns } = model;
  const bucket = d3.bisectRight(edges, ts) - 1;
  const [start, end] = [edges[bucket], edges[bucket + 1]];
  if (start === undefined || end === undefined || cpus < 0 || cpus > cpu_count) return null;
  const length_ns = end - start;
  const part = (name: string, ns: number) =>
    `${name}: ${(ns / length_ns).toFixed(2)} CPUs, ${formatShare(ns / length_ns / cpu_count)} of all`;
  const when = `${formatDuration(length_ns)} from ${formatTime(start, origin_ns)}`;
  let top = 0;
  for (const { label, ran_ns } of series) {
    const ns = ran_ns[bucket] ?? 0;
    top += ns / length_ns;
    if (cpus <= top) return [part(label, ns), `with what is below it: ${top.toFixed(2)} CPUs`, when];
  }
  return [
    part('idle', idle_ns[bucket] ?? 0),
    ...((hidden_ns[bucket] ?? 0) > 0 ? [part('hidden ranks and priorities', hidden_ns[bucket] ?? 0)] : []),
    ...((unknown_ns[bucket] ?? 0) > 0 ? [part('not recorded', unknown_ns[bucket] ?? 0)] : []),
    when,
  ];
}

/** The colour of each series: the four hues, then their tints; grey for the rest. */
function seriesColors(palette: Palette, { series }: CpuUsageModel): string[] {
  return series.map(({ other }, index) => (other ? palette.series[4] : seriesColor(palette, index)));
}

/** What the areas mean, from the lowest to the highest. */
export function usageLegend(palette: Palette, model: CpuUsageModel): readonly LegendEntry[] {
  const colors = seriesColors(palette, model);
  const areas = model.series.map(({ label }, index): LegendEntry => ({
    label,
    color: colors[index] ?? palette.muted,
  }));
  if (model.totals.unknown_ns === 0) return areas;
  return [...areas, { label: 'not recorded', color: palette.muted, mark: 'hatch' }];
}
