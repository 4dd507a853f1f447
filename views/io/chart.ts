import { extent, least } from 'd3';
import { formatBytes, formatCount, formatDuration } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  drawDurationAxis,
  drawHistogram,
  drawTimeAxis,
  durationScale,
  timeScale,
  type LegendEntry,
  type Margins,
  type Palette,
  type Picture,
  type Plot,
  type PlotPoint,
  type StepChart,
  type TimeChart,
} from '../kit/index.ts';
import type { Direction, Io, IoModel } from './model.ts';
import type { IoParams } from './params.ts';
import { sizeWords } from './words.ts';

/** Wide enough for `100.0 MB/s`. */
export const RATE_MARGINS: Margins = { top: 14, right: 16, bottom: 24, left: 76 };
export const IOS_MARGINS: Margins = { top: 10, right: 16, bottom: 24, left: 76 };
/** A pointer so near to an I/O is on it, in px. */
const REACH_PX = 8;
const BAR_PX = 3;

const formatRate = (bytes_per_s: number) => `${formatBytes(bytes_per_s)}/s`;

/**
 * What ended per second in each bucket of time: all as an area, reads and writes of each disk as lines. Or the queue depth:
 * all that were under way, and those of each disk.
 */
export function ratesChart(
  { origin_ns, edges, lines, depths }: IoModel,
  measure: IoParams['measure'],
): StepChart {
  const sums = (shown: readonly { readonly values: readonly number[] }[]) =>
    edges.slice(1).map((_, bucket) => shown.reduce((sum, { values }) => sum + (values[bucket] ?? 0), 0));
  if (measure === 'depth') {
    return {
      ...{ origin_ns, edges, total: sums(depths), total_label: 'I/Os under way, all together' },
      lines: depths.length < 2 ? [] : depths,
    };
  }
  const perSecond = (values: readonly number[]) =>
    values.map((value, bucket) => (value * 1e9) / ((edges[bucket + 1] ?? 0) - (edges[bucket] ?? 0)));
  const shown = lines
    .filter(({ size_bytes }) => measure === 'count' || size_bytes.some((size) => size > 0))
    .map(({ label, size_bytes, counts }) => ({
      label,
      values: perSecond(measure === 'bytes' ? size_bytes : counts),
    }));
  return {
    origin_ns,
    edges,
    total: sums(shown),
    total_label: measure === 'bytes' ? 'bytes per second, all together' : 'I/Os per second, all together',
    ...(measure === 'bytes' ? { format: formatRate } : {}),
    // One line alone would be the edge of the area.
    lines: shown.length < 2 ? [] : shown,
  };
}

/** The lines that a pointer shows for a bucket. */
export function rateLines({ lines, depths }: IoModel, bucket: number, span: string): readonly string[] {
  return [
    `ended in ${span}`,
    ...lines
      .filter(({ counts }) => (counts[bucket] ?? 0) > 0)
      .map(
        ({ label, counts, size_bytes }) =>
          `${label}: ${formatCount(counts[bucket] ?? 0)}, ${formatBytes(size_bytes[bucket] ?? 0)}`,
      ),
    ...depths.map(({ label, values }) => `${label}, under way: ${(values[bucket] ?? 0).toFixed(2)}`),
  ];
}

/** All that ended by how long they took, with percentiles. */
export function durationsChart({ histogram, summary }: IoModel): Picture['draw'] {
  const marks = [
    { label: 'p50', at_ns: summary.p50_ns },
    { label: 'p90', at_ns: summary.p90_ns },
    { label: 'p99', at_ns: summary.p99_ns },
    { label: 'max', at_ns: summary.max_ns },
  ];
  return (plot, _, frame) => drawHistogram(plot, histogram, marks, frame);
}

const DIRECTIONS: readonly Direction[] = ['read', 'write', 'other'];

function directionColor({ series }: Palette, direction: Direction): string {
  const [read, write, other] = series;
  return { read, write, other }[direction];
}

/** What the bars mean. */
export function iosLegend(palette: Palette, { ios }: IoModel): readonly LegendEntry[] {
  return DIRECTIONS.filter((direction) => ios.some((io) => io.direction === direction)).map((label) => ({
    label,
    color: directionColor(palette, label),
  }));
}

function iosScales({ ios }: IoModel, range: TimeRange, plot: Plot) {
  const [shortest = 1e3, longest = 1e6] = extent(ios, ({ dur }) => dur ?? undefined);
  return { x: timeScale(range, plot.width), y: durationScale(shortest, longest, [plot.height, 0]) };
}

/** The listed I/Os: each a bar from its start to its end, as high as it took long. */
export function iosChart(model: IoModel): TimeChart {
  return (plot, range) => {
    const { x, y } = iosScales(model, range, plot);
    drawDurationAxis(plot, y, 'left');
    drawTimeAxis(plot, range, model.origin_ns);
    for (const shown of DIRECTIONS) {
      plot.fill(directionColor(plot.palette, shown), (pen) => {
        for (const { direction, ts, dur } of model.ios) {
          if (direction !== shown || dur === null) continue;
          const left = Math.max(0, x(ts));
          const right = Math.min(plot.width, x(ts + dur));
          if (right < 0 || left > plot.width) continue;
          pen.rect(left, y(dur) - BAR_PX / 2, Math.max(BAR_PX, right - left), BAR_PX);
        }
      });
    }
  };
}

/** The listed I/O at a point; null if there is none. */
export function ioAt({ x: px, y: py, range, plot }: PlotPoint, model: IoModel): Io | null {
  const { x, y } = iosScales(model, range, plot);
  const away = ({ ts, dur }: Io) =>
    dur === null ? Infinity : Math.hypot(Math.max(0, x(ts) - px, px - x(ts + dur)), y(dur) - py);
  const nearest = least(model.ios, away);
  return nearest !== undefined && away(nearest) <= REACH_PX ? nearest : null;
}

/** What a pointer at an I/O is told. */
export function ioLines(io: Io): readonly string[] {
  return [
    `${io.kind}${sizeWords(io)}${io.dur === null ? '' : ` in ${formatDuration(io.dur)}`}`,
    io.path ?? 'a file without a name in the recording',
    threadLabel(io),
  ];
}
