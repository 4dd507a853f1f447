import * as d3 from 'd3';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { drawCountAxis, drawDurationAxis, durationScale } from './axes.ts';
import { picture, type Block, type Frame, type Hit, type Picture } from './blocks.ts';
import type { Margins, Plot } from './plot.ts';
import type { PlotPoint } from './time-plot.ts';
import { addLabel } from './svg-label.ts';

/** How many durations lie from `from_ns` (inside) to `to_ns` (outside). */
export interface DurationBin {
  readonly from_ns: number;
  readonly to_ns: number;
  readonly count: number;
}

/** A named duration, marked by a line. */
export interface DurationMark {
  readonly label: string;
  readonly at_ns: number;
}

/** Around a histogram of durations: room for the marks' labels. */
export const HISTOGRAM_MARGINS: Margins = { top: 20, right: 20, bottom: 24, left: 44 };

/** What the axes of a histogram reach. */
export function histogramFrame(bins: readonly DurationBin[]): Required<Frame> {
  return {
    most: d3.max(bins, (bin) => bin.count) ?? 1,
    from_ns: bins[0]?.from_ns ?? 1e3,
    to_ns: bins.at(-1)?.to_ns ?? 1e9,
  };
}

/** The scales of a histogram of durations. The scale across is log. The scale up shows a count of one next to millions. */
export function histogramScales(bins: readonly DurationBin[], width: number, height: number, frame?: Frame) {
  const { most, from_ns, to_ns } = { ...histogramFrame(bins), ...frame };
  return {
    x: durationScale(from_ns, to_ns, [0, width]),
    y: d3.scaleSymlog([0, most], [height, 0]).constant(1),
    most,
  };
}

/** What a pointer finds in a histogram: how many of what are counted there, and how long these are. */
export function barHit(
  bins: readonly DurationBin[],
  { x: px, plot }: Pick<PlotPoint, 'x' | 'plot'>,
  [one, many]: readonly [one: string, many: string],
): Hit | null {
  const at_ns = histogramScales(bins, plot.width, plot.height).x.invert(px);
  const bin = bins.find(({ from_ns, to_ns }) => from_ns <= at_ns && at_ns < to_ns);
  if (bin === undefined) return null;
  const { count, from_ns, to_ns } = bin;
  const counted = `${formatCount(count)} ${count === 1 ? one : many}`;
  return { lines: [counted, `${formatDuration(from_ns)} to ${formatDuration(to_ns)}`] };
}

/** Draws a histogram of durations on log axes, with marks for percentiles. */
export function drawHistogram(
  plot: Plot,
  bins: readonly DurationBin[],
  marks: readonly DurationMark[],
  frame?: Frame,
): void {
  const { x, y, most } = histogramScales(bins, plot.width, plot.height, frame);
  const powers = d3.range(0, Math.ceil(Math.log10(most + 1)) + 1).map((power) => 10 ** power);
  const shown = powers.filter((power) => power <= most);
  drawCountAxis(plot, y, plot.height < shown.length * 18 ? shown.filter((_, i) => i % 2 === 0) : shown);
  drawDurationAxis(plot, x, 'bottom');
  plot.fill(plot.palette.series[1], (pen) => {
    for (const bin of bins) {
      const left = x(bin.from_ns);
      const step = x(bin.to_ns) - left;
      const width = step > 4 ? step - 1 : step;
      if (bin.count > 0) pen.rect(left, y(bin.count), width, plot.height - y(bin.count));
    }
  });
  drawMarks(plot, x, marks);
}

/** Numbers over many durations. */
interface Percentiles {
  readonly p50_ns: number;
  readonly p90_ns: number;
  readonly p99_ns: number;
  readonly max_ns: number;
}

/** A histogram of durations with marks for their percentiles. */
export function histogramPicture(
  bins: readonly DurationBin[],
  { p50_ns, p90_ns, p99_ns, max_ns }: Percentiles,
  look: Pick<Picture, 'label' | 'height_px' | 'still_px' | 'at'>,
): Block {
  const marks = [
    { label: 'p50', at_ns: p50_ns },
    { label: 'p90', at_ns: p90_ns },
    { label: 'p99', at_ns: p99_ns },
    { label: 'max', at_ns: max_ns },
  ];
  return picture({
    ...look,
    margins: HISTOGRAM_MARGINS,
    frame: histogramFrame(bins),
    draw: (plot, _, frame) => drawHistogram(plot, bins, marks, frame),
  });
}

/** Lines with labels above the plot; where labels would cover one another, one names all. */
function drawMarks(plot: Plot, x: (duration_ns: number) => number, marks: readonly DurationMark[]): void {
  for (const { at_ns } of marks) {
    plot.svg
      .append('line')
      .attr('x1', x(at_ns))
      .attr('x2', x(at_ns))
      .attr('y2', plot.height)
      .attr('stroke', plot.palette.series[0])
      .attr('stroke-dasharray', '3 2');
  }
  for (const { text, middle } of markLabels(marks, x)) {
    // The last one may not reach over the right margin.
    const x = Math.min(middle, plot.width + HISTOGRAM_MARGINS.right - (text.length * CHARACTER_PX) / 2);
    addLabel(plot, text, x, -4, { color: plot.palette.text, at: 'middle', size_px: 10.5 });
  }
}

/** Names of marks, and where in px across the middle of each is. */
export interface MarkLabel {
  readonly text: string;
  readonly middle: number;
}

const CHARACTER_PX = 6;
const LABEL_GAP_PX = 8;

/** The labels of marks from left to right: names that would cover one another are one, in the middle of theirs. */
export function markLabels(
  marks: readonly DurationMark[],
  x: (duration_ns: number) => number,
): readonly MarkLabel[] {
  const labels: (MarkLabel & { readonly left: number; readonly right: number })[] = [];
  for (const mark of [...marks].sort((a, b) => a.at_ns - b.at_ns)) {
    const at = x(mark.at_ns);
    let next = { text: mark.label, middle: at, left: at, right: at };
    for (let last = labels.at(-1); last !== undefined && covers(last, next); last = labels.at(-1)) {
      labels.pop();
      const { left } = last;
      next = { text: `${last.text}, ${next.text}`, middle: (left + next.right) / 2, left, right: next.right };
    }
    labels.push(next);
  }
  return labels.map(({ text, middle }) => ({ text, middle }));
}

function covers(one: MarkLabel, next: MarkLabel): boolean {
  const room = ((one.text.length + next.text.length) * CHARACTER_PX) / 2 + LABEL_GAP_PX;
  return next.middle - one.middle < room;
}
