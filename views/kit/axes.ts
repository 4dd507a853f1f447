import * as d3 from 'd3';
import { formatDuration, formatTimeTick } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { Pen, Plot, TextLook, TextPlace } from './plot.ts';

/** Room that one tick label of a time axis needs, in px. */
const TICK_ROOM = 96;
/** A tick nearer to an edge has its label inside it. */
const EDGE_PX = 20;
/** About the width and the height of a digit of a label, and the distance of a label from the plot. */
const LETTER_PX = 6.2;
const DIGIT_PX = 8;
const LABEL_PX = 6;
const LABEL_LOOK: TextLook = { size_px: 11, weight: 400 };

type Place = 'top' | 'bottom';
type Side = 'left' | 'bottom';

/** A linear scale over a time range. */
export function timeScale(range: TimeRange, width: number): d3.ScaleLinear<number, number> {
  return d3.scaleLinear([range.start, range.end], [0, width]);
}

/** The ticks of a time axis, round in seconds from `origin_ns`, and the distance between them. */
export function timeTicks(
  range: TimeRange,
  origin_ns: number,
  count: number,
): { readonly values: number[]; readonly step_ns: number } {
  const start = range.start - origin_ns;
  const end = range.end - origin_ns;
  const step_ns = d3.tickStep(start, end, Math.max(1, count));
  return { values: d3.ticks(start, end, Math.max(1, count)).map((tick) => tick + origin_ns), step_ns };
}

/** The label of one tick of a time axis, `x` px from its start. */
interface TimeLabel {
  readonly x: number;
  readonly text: string;
  readonly at: TextPlace;
}

/**
 * The ticks of a time axis `width` px wide. Labels near an edge are kept inside it; one that would reach its neighbour's
 * is empty.
 */
export function timeLabels(range: TimeRange, origin_ns: number, width: number): TimeLabel[] {
  const scale = timeScale(range, width);
  const { values, step_ns } = timeTicks(range, origin_ns, width / TICK_ROOM);
  const [first = 0, second = Infinity] = values.map(scale);
  return values.map((tick) => {
    const x = scale(tick);
    const at = x < EDGE_PX ? 'begin' : x > width - EDGE_PX ? 'end' : 'middle';
    const text = formatTimeTick(tick, origin_ns, step_ns);
    const reaches = at !== 'middle' && 1.5 * text.length * LETTER_PX > second - first;
    return { x, text: reaches ? '' : text, at };
  });
}

/** Draws an axis of seconds since `origin_ns`, and grid lines; draw marks after it, to have them above the lines. */
export function drawTimeAxis(plot: Plot, range: TimeRange, origin_ns: number, place: Place = 'bottom'): void {
  const labels = timeLabels(range, origin_ns, plot.width);
  plot.stroke(plot.palette.grid, (pen) => {
    for (const { x } of labels) line(pen, x, 0, x, plot.height);
  });
  const y = place === 'bottom' ? plot.height + LABEL_PX + DIGIT_PX : -LABEL_PX;
  // Written as the marks are: elements of their own would cost each frame of a zoom a layout.
  plot.write(
    plot.palette.muted,
    (write) => labels.forEach(({ x, text, at }) => write(text, x + 0.5, y, at)),
    LABEL_LOOK,
  );
  const told = labels.flatMap(({ text }) => (text === '' ? [] : [text]));
  plot.describe?.(`Time axis: ${told.join(', ')}`);
}

/** A log scale of durations that covers whole decades around `low_ns` to `high_ns`. */
export function durationScale(
  low_ns: number,
  high_ns: number,
  rangePx: readonly [number, number],
): d3.ScaleLogarithmic<number, number> {
  const low = 10 ** Math.floor(Math.log10(Math.max(1, low_ns)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(low * 10, high_ns)));
  return d3.scaleLog([low, high], rangePx).clamp(true);
}

/** The decades within a duration scale, thinned so that labels stand at least `room` px apart. */
function decades(scale: d3.ScaleLogarithmic<number, number>, room: number): number[] {
  const [low = 1, high = 1] = scale.domain();
  const first = Math.round(Math.log10(low));
  const last = Math.round(Math.log10(high));
  const length = Math.abs(scale(high) - scale(low));
  const every = Math.max(1, Math.ceil(((last - first) * room) / Math.max(1, length)));
  return d3.range(first, last + 1, every).map((power) => 10 ** power);
}

/** Draws a log axis of durations at the left or below, with grid lines. */
export function drawDurationAxis(plot: Plot, scale: d3.ScaleLogarithmic<number, number>, place: Side): void {
  const ticks = decades(scale, place === 'left' ? 22 : 56);
  drawAxis(plot, scale, place, ticks, (tick) => formatDuration(tick).replace(/\.0+(?= )/, ''));
}

/** Draws an axis of counts at the left, and grid lines: at whole numbers, unless all but 0 are less. */
export function drawCountAxis(
  plot: Plot,
  scale: d3.ScaleContinuousNumeric<number, number>,
  values: readonly number[],
): void {
  const whole = values.filter(Number.isInteger);
  const ticks = whole.length > 1 ? whole : values;
  plot.stroke(plot.palette.grid, (pen) => {
    for (const tick of ticks) line(pen, 0, scale(tick), plot.width, scale(tick));
  });
  const group = plot.svg.append('g').call(
    d3
      .axisLeft(scale)
      .tickValues([...ticks])
      .tickFormat((tick) => d3.format(Number(tick) < 1 ? '~g' : '~s')(tick))
      .tickSize(0)
      .tickPadding(6),
  );
  styleAxis(group, plot);
}

/** Draws a linear axis of values at the left or below, with grid lines. */
export function drawValueAxis(
  plot: Plot,
  scale: d3.ScaleLinear<number, number>,
  place: Side,
  format: (value: number) => string,
): void {
  const all = scale.ticks(place === 'left' ? Math.max(2, plot.height / 40) : plot.width / TICK_ROOM);
  // Halves of a count would read as their neighbours.
  const ticks = new Set(all.map(format)).size === all.length ? all : all.filter(Number.isInteger);
  drawAxis(plot, scale, place, ticks, format);
}

/** Draws an axis with these ticks, and grid lines. */
function drawAxis(
  plot: Plot,
  scale: d3.ScaleContinuousNumeric<number, number>,
  place: Side,
  ticks: readonly number[],
  format: (value: number) => string,
): void {
  plot.stroke(plot.palette.grid, (pen) => {
    for (const tick of ticks) {
      if (place === 'left') line(pen, 0, scale(tick), plot.width, scale(tick));
      else line(pen, scale(tick), 0, scale(tick), plot.height);
    }
  });
  const axis = place === 'left' ? d3.axisLeft(scale) : d3.axisBottom(scale);
  const group = plot.svg
    .append('g')
    .attr('transform', `translate(0,${place === 'left' ? 0 : plot.height})`)
    .call(
      axis
        .tickValues([...ticks])
        .tickFormat((tick) => format(Number(tick)))
        .tickSize(0)
        .tickPadding(6),
    );
  styleAxis(group, plot);
}

function line(pen: Pen, x1: number, y1: number, x2: number, y2: number): void {
  pen.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
  pen.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
}

function styleAxis(group: d3.Selection<SVGGElement, unknown, null, undefined>, plot: Plot): void {
  group.attr('font-family', null).attr('font-size', 11).attr('pointer-events', 'none');
  group.select('.domain').remove();
  group.selectAll('.tick text').attr('fill', plot.palette.muted);
}
