import type { TimeRange } from '../../shared/view/index.ts';
import { drawTimeAxis } from './axes.ts';
import { HIT_EVENTS, type Hit, type Lanes } from './blocks.ts';
import { fitted, widthOf } from './fitted.ts';
import { scrollLanes } from './lane-scroll.ts';
import { drawLegend, type LegendEntry } from './legend.ts';
import { paletteOf, stillPalette, type Palette } from './palette.ts';
import type { Margins, Pen, Plot } from './plot.ts';
import type { StillPage } from './still-page.ts';
import { timePlot, type TimeContext } from './time-plot.ts';
import type { Tooltip } from './tooltip.ts';
import { addBarLabel, nameCharacters } from './svg-label.ts';

const MARGINS: Margins = { top: 12, right: 16, bottom: 24, left: 190 };
/** What of a chart's height is not lanes. */
const FRAME_PX = MARGINS.top + MARGINS.bottom;
/** The most characters of a name of a lane. */
export const LANE_NAME_CHARACTERS = nameCharacters(MARGINS.left);
const LINE_PX = 14;
const CHARACTER_PX = 6.4;
/** How far the point of an open bar reaches. */
const POINT_PX = 7;

/** Named lanes over time, one below the other. */
export interface LaneChart {
  readonly origin_ns: number;
  readonly lane_px: number;
  /** Between two lanes. */
  readonly gap_px: number;
  /** Each lane's name in one line or two, the second in small print. */
  readonly names: readonly (readonly [string] | readonly [string, string])[];
  legend(palette: Palette): readonly LegendEntry[];
  /** Draws what is in the lanes, above the time axis. */
  draw(plot: Plot, space: LaneSpace): void;
}

/** Where things lie in a lane chart. */
export interface LaneSpace {
  readonly range: TimeRange;
  /** Px across the plot, kept within its edges. */
  readonly x: (ts: number) => number;
  /** The upper edge of a lane. */
  readonly top: (lane: number) => number;
  /** The lanes that are in sight: others need not be drawn. */
  readonly lanes: { readonly first: number; readonly end: number };
}

/**
 * Puts a lane chart with its legend into a panel. Other lanes, as many as before, take their place with `update`.
 */
export function mountLanes(
  parent: HTMLElement,
  first: Lanes,
  context: TimeContext,
  tooltip: Tooltip,
): { readonly update: (lanes: Lanes) => void; readonly end: () => void } {
  let shown = first;
  const { label, most_px = Infinity, chart } = first;
  const legends = parent.appendChild(parent.ownerDocument.createElement('div'));
  const showLegend = () => {
    legends.replaceChildren();
    drawLegend(legends, shown.chart.legend(paletteOf(parent)));
  };
  showLegend();
  const row_px = chart.lane_px + chart.gap_px;
  const count = Math.max(1, Math.min(chart.names.length, Math.floor((most_px - FRAME_PX) / row_px)));
  const hidden = chart.names.length - count;
  const height_px = chartHeight(chart, count);
  const scroll = hidden > 0 ? scrollLanes(parent, label, { hidden, row_px, height_px }) : null;
  const seen = () => {
    const firstSeen = scroll?.first() ?? 0;
    return { first: firstSeen, end: firstSeen + count };
  };
  let redraw: () => void = () => undefined;
  const end = timePlot<Hit>(scroll?.element ?? parent, context, {
    label,
    margins: MARGINS,
    height_px,
    draw: (plot, range) => drawChart(plot, shown.chart, range, seen()),
    redrawOn: (again) => {
      redraw = again;
      return scroll?.onScroll(again) ?? (() => undefined);
    },
    events: {
      tooltip,
      at: (point) => {
        const lane = laneAt(shown.chart, point.y, seen());
        return lane === null ? null : shown.at(lane, point);
      },
      ...HIT_EVENTS,
    },
  });
  return {
    update: (next) => {
      shown = next;
      showLegend();
      redraw();
    },
    end,
  };
}

/** Puts a lane chart with its legend into a still picture. */
export function stillLaneChart(
  page: StillPage,
  chart: LaneChart,
  context: Pick<TimeContext, 'range' | 'selection'>,
): void {
  page.legend(chart.legend(stillPalette));
  const all = { first: 0, end: chart.names.length };
  const height_px = chartHeight(chart, all.end);
  page.timeChart(height_px, MARGINS, (plot, range) => drawChart(plot, chart, range, all), context);
}

function chartHeight({ lane_px, gap_px }: LaneChart, lanes: number): number {
  return FRAME_PX + lanes * (lane_px + gap_px);
}

function laneAt(
  { lane_px, gap_px }: LaneChart,
  y: number,
  { first, end }: LaneSpace['lanes'],
): number | null {
  const at = Math.floor(y / (lane_px + gap_px));
  const inside = at >= 0 && first + at < end && y - at * (lane_px + gap_px) <= lane_px;
  return inside ? first + at : null;
}

function drawChart(plot: Plot, chart: LaneChart, range: TimeRange, lanes: LaneSpace['lanes']): void {
  drawTimeAxis(plot, range, chart.origin_ns);
  // A D3 scale takes ten times as long, and is asked for every mark in every frame of a zoom.
  const perNs = plot.width / (range.end - range.start);
  const x = (ts: number) => Math.max(0, Math.min(plot.width, (ts - range.start) * perNs));
  const top = (lane: number) => (lane - lanes.first) * (chart.lane_px + chart.gap_px);
  chart.names
    .slice(lanes.first, lanes.end)
    .forEach((lines, at) => writeName(plot, lines, top(lanes.first + at) + chart.lane_px / 2));
  chart.draw(plot, { range, x, top, lanes });
}

function writeName(plot: Plot, lines: readonly string[], middle: number): void {
  lines.forEach((line, index) => {
    const text = plot.svg
      .append('text')
      .attr('x', -10)
      .attr('y', lines.length === 1 ? middle : middle - 5 + index * LINE_PX)
      .attr('text-anchor', 'end')
      .attr('font-size', 11)
      .attr('fill', index === 0 ? plot.palette.text : plot.palette.muted)
      .text(fitted(line, LANE_NAME_CHARACTERS));
    if (lines.length === 1) text.attr('dy', '0.35em');
  });
}

/** A span whose ends may be open: it began before, or ends after, what is known. */
export interface OpenSpan {
  readonly ts: number;
  readonly dur: number;
  readonly open_start: boolean;
  readonly open_end: boolean;
}

/** Adds a bar for a span, pointed at an end that is open and within the range. */
export function addPointedBar(
  pen: Pen,
  { ts, dur, open_start, open_end }: OpenSpan,
  { range, x }: LaneSpace,
  top: number,
  height: number,
): void {
  const left = x(ts);
  const right = Math.max(left + 1, x(ts + dur));
  const point = Math.min(POINT_PX, (right - left) / 2);
  const leftPoint = open_start && ts >= range.start ? point : 0;
  const rightPoint = open_end && ts + dur <= range.end ? point : 0;
  pen.moveTo(left, top + height / 2);
  pen.lineTo(left + leftPoint, top);
  pen.lineTo(right - rightPoint, top);
  pen.lineTo(right, top + height / 2);
  pen.lineTo(right - rightPoint, top + height);
  pen.lineTo(left + leftPoint, top + height);
  pen.closePath();
}

/** Writes the first of `texts` that fits on a bar of {@link addPointedBar}; nothing if none does. */
export function writeOnBar(
  plot: Plot,
  texts: readonly string[],
  { ts, dur }: { readonly ts: number; readonly dur: number },
  { x }: LaneSpace,
  middle: number,
): void {
  const left = x(ts) + POINT_PX + 2;
  const room = x(ts + dur) - POINT_PX - left;
  const text = texts.find((each) => widthOf(each) * CHARACTER_PX <= room);
  if (text === undefined) return;
  addBarLabel(plot, text, left, middle, plot.palette.background);
}
