import * as d3 from 'd3';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import { drawCountAxis, drawTimeAxis, drawValueAxis, timeScale } from './axes.ts';
import { timePicture, type Block, type Frame, type Picture } from './blocks.ts';
import type { LegendEntry } from './legend.ts';
import { lineColor, type Palette } from './palette.ts';
import type { Margins, Plot } from './plot.ts';
import { addLabel } from './svg-label.ts';

const MARGINS: Margins = { top: 14, right: 80, bottom: 24, left: 52 };

/** A bound is drawn where it is at least this part of the highest value: below, its line would lie on the axis. */
const BOUND_SEEN = 0.02;

/** Numbers that hold for buckets of time: all together as an area, parts of it as lines. */
export interface StepChart {
  readonly origin_ns: number;
  /** The bounds of the buckets, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  readonly total: readonly number[];
  /** What the area is. */
  readonly total_label: string;
  readonly lines: readonly { readonly label: string; readonly values: readonly number[] }[];
  /** What values are called at the axis; counts, if it is left out. */
  readonly format?: (value: number) => string;
  /** Values that a line across marks, where they lie within the chart. */
  readonly bounds?: readonly { readonly label: string; readonly value: number }[];
}

/** How a chart is shown, and the lines that a pointer shows for a bucket. `span` says how long the bucket is and when it begins. */
interface StepLook extends Pick<Picture, 'label' | 'height_px' | 'still_px'> {
  readonly margins?: Partial<Margins>;
  /** How many entries the legend has at most; all, if it is left out. */
  readonly legend_entries?: number;
  readonly lines: (bucket: number, span: string) => readonly string[];
}

/** A chart of steps over time. */
export function stepPicture(chart: StepChart, { margins, legend_entries, lines, ...look }: StepLook): Block {
  const { origin_ns, edges } = chart;
  return timePicture({
    ...look,
    margins: { ...MARGINS, ...margins },
    legend: (palette) => stepLegend(palette, chart).slice(0, legend_entries),
    frame: stepFrame(chart),
    draw: stepChart(chart),
    at({ ts }) {
      const bucket = bucketAt(chart, ts);
      if (bucket === null) return null;
      const [start = 0, end = 0] = [edges[bucket], edges[bucket + 1]];
      return { lines: lines(bucket, `${formatDuration(end - start)} from ${formatTime(start, origin_ns)}`) };
    },
  });
}

/** What the axis of the values reaches. */
function stepFrame({ total }: StepChart): Frame {
  return { most: total.reduce((most, value) => Math.max(most, value), 1) * 1.05 };
}

/** Draws the area, the lines above it, and the bounds. */
function stepChart(chart: StepChart): Picture['draw'] {
  const { origin_ns, edges, total, lines, format, bounds = [] } = chart;
  const own = stepFrame(chart);
  return (plot, range, { most: highest } = own) => {
    const y = d3.scaleLinear([0, highest], [plot.height, 0]);
    if (format === undefined) drawCountAxis(plot, y, y.ticks(5));
    else drawValueAxis(plot, y, 'left', format);
    drawTimeAxis(plot, range, origin_ns);
    const x = timeScale(range, plot.width).clamp(true);
    // Scales are slow to ask: once for each bucket, since this is drawn in each frame of a zoom.
    const lefts = edges.map(x);
    plot.fill(plot.palette.series[4], (pen) =>
      total.forEach((value, bucket) => {
        const [left = 0, right = 0] = [lefts[bucket], lefts[bucket + 1]];
        if (right > left && value > 0) pen.rect(left, y(value), right - left, plot.height - y(value));
      }),
    );
    lines.forEach(({ values }, index) =>
      plot.stroke(lineColor(plot.palette, index), (pen) =>
        values.forEach((value, bucket) => {
          if (bucket === 0) pen.moveTo(lefts[0] ?? 0, y(value));
          else pen.lineTo(lefts[bucket] ?? 0, y(value));
          pen.lineTo(lefts[bucket + 1] ?? 0, y(value));
        }),
      ),
    );
    for (const { label, value } of bounds) {
      if (value <= highest && value >= highest * BOUND_SEEN) drawNamedLine(plot, y(value), label, '4 3');
    }
  };
}

/** Draws a line across the plot, named at its right; `dashes` as SVG has them, null for none. */
export function drawNamedLine(plot: Plot, y: number, text: string, dashes: string | null): void {
  plot.svg
    .append('line')
    .attr('x2', plot.width)
    .attr('y1', y)
    .attr('y2', y)
    .attr('stroke', plot.palette.text)
    .attr('stroke-dasharray', dashes)
    .attr('pointer-events', 'none');
  addLabel(plot, text, plot.width + 6, y, { color: plot.palette.text, isCentred: true });
}

/** What the colours are. */
function stepLegend(palette: Palette, { total_label, lines }: StepChart): readonly LegendEntry[] {
  return [
    { label: total_label, color: palette.series[4] },
    ...lines.map(({ label }, index): LegendEntry => ({ label, color: lineColor(palette, index) })),
  ];
}

/** The bucket that a time lies in; null outside of all. */
function bucketAt({ edges }: Pick<StepChart, 'edges'>, ts: number): number | null {
  const bucket = d3.bisectRight(edges, ts) - 1;
  return bucket < 0 || bucket >= edges.length - 1 ? null : bucket;
}
