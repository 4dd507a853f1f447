import { formatBytes, formatCount, formatDuration } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import {
  DurationBars,
  type LegendEntry,
  type Margins,
  type Palette,
  type StepChart,
  type TimeChart,
} from '../kit/index.ts';
import type { Direction, Io, IoModel } from './model.ts';
import type { IoParams } from './params.ts';
import { sizeWords } from './words.ts';

/** Wide enough for `100.0 MB/s`. */
export const RATE_MARGINS: Margins = { top: 14, right: 16, bottom: 24, left: 76 };
export const IOS_MARGINS: Margins = { top: 10, right: 16, bottom: 24, left: 76 };
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

/** The listed I/Os. */
export function iosChart({ ios, origin_ns }: IoModel): TimeChart {
  const bars = new DurationBars(ios);
  return (plot, range) =>
    bars.draw(plot, range, origin_ns, (palette) =>
      DIRECTIONS.map((direction) => ({
        color: directionColor(palette, direction),
        height_px: BAR_PX,
        has: (io) => io.direction === direction,
      })),
    );
}

/** What a pointer at an I/O is told. */
export function ioLines(io: Io): readonly string[] {
  return [
    `${io.kind}${sizeWords(io)}${io.dur === null ? '' : ` in ${formatDuration(io.dur)}`}`,
    io.path ?? 'a file without a name in the recording',
    threadLabel(io),
  ];
}
