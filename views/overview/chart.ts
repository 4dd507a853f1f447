import * as d3 from 'd3';
import { formatDuration, formatShare, formatTime } from '../../shared/model/index.ts';
import { processLabel, programLabel, type NamedProcess } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  addBarLabel,
  addLabel,
  drawTimeAxis,
  hatch,
  timeScale,
  widthOf,
  type LegendEntry,
  type Margins,
  type Palette,
  type Plot,
  type PlotPoint,
  type TimeChart,
} from '../kit/index.ts';
import type { OverviewModel } from './model.ts';

export const MARGINS: Margins = { top: 8, right: 16, bottom: 24, left: 66 };

const CPU_PX = 116;
const LANE_PX = 16;
const GAP_PX = 6;
const CHARACTER_PX = 6.4;

/** A mark in a lane; one without length is an instant. */
interface Mark {
  readonly ts: number;
  readonly dur: number;
  readonly label: string;
}

interface Lane {
  readonly label: string;
  readonly color: (palette: Palette) => string;
  readonly marks: readonly Mark[];
}

const programOf = ({ process, services }: NamedProcess) => programLabel({ process, service: services });

/** The lanes below the CPUs: those that have something to show. */
function lanesOf({ focus, inputs, freezes, findings }: OverviewModel): readonly Lane[] {
  const lanes: readonly Lane[] = [
    {
      label: 'findings',
      color: ({ series }) => series[0],
      marks: (findings?.findings ?? []).map(({ where: { span }, title }) => ({
        ts: span.start,
        dur: span.end - span.start,
        label: title,
      })),
    },
    {
      label: 'focus',
      color: ({ series }) => series[1],
      marks: focus.map((span) => ({ ts: span.ts, dur: span.dur, label: programOf(span) })),
    },
    {
      label: 'input',
      color: ({ text }) => text,
      marks: inputs.map(({ ts, is_key }) => ({ ts, dur: 0, label: is_key ? 'key' : 'mouse button' })),
    },
    {
      label: 'frozen',
      color: ({ muted }) => muted,
      marks: freezes.map((span) => ({
        ts: span.ts,
        dur: span.dur,
        label: programOf(span),
      })),
    },
  ];
  return lanes.filter(({ marks }) => marks.length > 0);
}

/** Where the lanes begin: at the top where CPU use is not known. */
const lanesTop = ({ cpu }: OverviewModel) => (cpu.series.length === 0 ? 0 : CPU_PX + GAP_PX);

/** Whether there is anything to draw over time. */
export function hasStrip(model: OverviewModel): boolean {
  return model.cpu.series.length > 0 || lanesOf(model).length > 0;
}

/** The height of the chart with its margins, in px. */
export function stripHeight(model: OverviewModel): number {
  return MARGINS.top + lanesTop(model) + lanesOf(model).length * (LANE_PX + GAP_PX) - GAP_PX + MARGINS.bottom;
}

/** The processes that are drawn by themselves, the others, and what is not recorded. */
export function stripLegend({ cpu }: OverviewModel, palette: Palette): readonly LegendEntry[] {
  const processes = cpu.series.map((name, index) => ({
    label: processLabel(name),
    color: seriesColor(palette, name, index),
  }));
  const isLost = cpu.lost_ns.some((ns) => ns > 0);
  return isLost ? [...processes, { label: 'not recorded', color: palette.muted, mark: 'hatch' }] : processes;
}

/** Others are grey, whatever their place. */
function seriesColor({ series }: Palette, { process, pid }: NamedProcess, index: number): string {
  const [, blue, teal, plum, grey] = series;
  if (process === 'others' && pid === null) return grey;
  return [blue, teal, plum][index] ?? grey;
}

/** The share of all CPUs over time, stacked by process; below it lanes for focus, input, freezes and findings. */
export function stripChart(model: OverviewModel): TimeChart {
  const lanes = lanesOf(model);
  return (plot, range) => {
    drawTimeAxis(plot, range, model.origin_ns);
    if (model.cpu.series.length > 0) drawCpu(plot, model, range);
    lanes.forEach((lane, index) => drawLane(plot, lane, range, lanesTop(model) + index * (LANE_PX + GAP_PX)));
  };
}

function drawCpu(plot: Plot, model: OverviewModel, range: TimeRange): void {
  const { cpu, facts } = model;
  const x = timeScale(range, plot.width).clamp(true);
  const y = d3.scaleLinear([0, 1], [CPU_PX, 0]).clamp(true);
  plot.stroke(plot.palette.grid, (pen) => {
    for (const share of [0, 0.5, 1]) {
      pen.moveTo(0, Math.round(y(share)) + 0.5);
      pen.lineTo(plot.width, Math.round(y(share)) + 0.5);
    }
  });
  for (const share of [0, 0.5, 1]) writeLabel(plot, `${share * 100} %`, y(share) + (share - 0.5) * 10);
  const below = new Array<number>(cpu.series[0]?.busy_ns.length ?? 0).fill(0);
  cpu.series.forEach((series, index) => {
    plot.fill(seriesColor(plot.palette, series, index), (pen) => {
      series.busy_ns.forEach((ns, number) => {
        if (ns === 0) return;
        const { ts, te } = bucketAt(cpu, number);
        const from = below[number] ?? 0;
        const to = from + ns / Math.max(1, (te - ts) * facts.cpu_count);
        below[number] = to;
        if (ts > range.end || te < range.start) return;
        pen.rect(x(ts), y(to), x(te) - x(ts), y(from) - y(to));
      });
    });
  });
  hatchLost(plot, model, x, y);
}

/** Hatches, from the top down, the time in which CPUs lost events. */
function hatchLost(
  plot: Plot,
  { cpu, facts }: OverviewModel,
  x: (ts: number) => number,
  y: (share: number) => number,
): void {
  plot.stroke(plot.palette.hatch, (pen) => {
    cpu.lost_ns.forEach((ns, number) => {
      if (ns === 0) return;
      const { ts, te } = bucketAt(cpu, number);
      hatch(pen, { left: x(ts), right: x(te), top: y(1), bottom: y(1 - ns / (te - ts) / facts.cpu_count) });
    });
  });
}

/** When a bucket begins and ends. */
function bucketAt({ edges }: OverviewModel['cpu'], number: number): { ts: number; te: number } {
  const ts = edges[number] ?? 0;
  return { ts, te: edges[number + 1] ?? ts };
}

function drawLane(plot: Plot, { label, color, marks }: Lane, range: TimeRange, top: number): void {
  const x = timeScale(range, plot.width).clamp(true);
  const visible = marks.filter(({ ts, dur }) => ts <= range.end && ts + dur >= range.start);
  plot.fill(color(plot.palette), (pen) => {
    for (const { ts, dur } of visible) {
      const left = x(ts);
      pen.rect(left, top, Math.max(1.5, x(ts + dur) - left - (dur > 0 ? 1 : 0)), LANE_PX);
    }
  });
  writeLabel(plot, label, top + LANE_PX / 2);
  // Where marks lie over one another, names would too.
  let free = 0;
  for (const { ts, dur, label: name } of [...visible].sort((a, b) => a.ts - b.ts)) {
    const left = Math.max(free, x(ts)) + 5;
    if (widthOf(name) * CHARACTER_PX > x(ts + dur) - left - 4) continue;
    free = x(ts + dur);
    addBarLabel(plot, name, left, top + LANE_PX / 2, plot.palette.background);
  }
}

function writeLabel(plot: Plot, label: string, y: number): void {
  addLabel(plot, label, -8, y, { color: plot.palette.muted, at: 'end', isCentred: true });
}

/** What is at a point of the chart, in lines; null where there is nothing to say. */
export function linesAt(
  model: OverviewModel,
  { x: px, y, ts: at, range, plot }: PlotPoint,
): readonly string[] | null {
  const { cpu, facts } = model;
  const top = lanesTop(model);
  if (y < top - GAP_PX) {
    const number = d3.bisectRight(cpu.edges, at) - 1;
    const { ts, te } = bucketAt(cpu, number);
    const has_ns = Math.max(1, (te - ts) * facts.cpu_count);
    const shares = cpu.series.map((series) => ({ ...series, share: (series.busy_ns[number] ?? 0) / has_ns }));
    const all = d3.sum(shares, ({ share }) => share);
    const parts = shares.filter(({ share }) => share >= 0.0005);
    const lost = (cpu.lost_ns[number] ?? 0) / has_ns;
    return [
      `${formatShare(all)} of all CPUs at ${formatTime(at, model.origin_ns)}`,
      ...parts.map((part) => `${processLabel(part)}: ${formatShare(part.share)}`),
      ...(lost >= 0.0005 ? [`not recorded: ${formatShare(lost)}`] : []),
    ];
  }
  const lane = lanesOf(model)[Math.floor((y - top) / (LANE_PX + GAP_PX))];
  const near = timeScale(range, plot.width).invert(px + 3) - at;
  const mark = lane?.marks.find(({ ts, dur }) => ts - near <= at && at <= ts + dur + near);
  if (lane === undefined || mark === undefined) return null;
  const from = formatTime(mark.ts, model.origin_ns);
  const when = mark.dur === 0 ? `at ${from}` : `from ${from}, for ${formatDuration(mark.dur)}`;
  return [mark.label, `${lane.label} ${when}`];
}
