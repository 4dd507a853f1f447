import * as d3 from 'd3';
import type { PanelModel } from '../../shared/panel/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { drawTimeAxis, drawValueAxis, type Margins, type Plot, timeScale } from '../kit/index.ts';
import { DrawnRows } from './rows.ts';
import { readSeries, type Series } from './series.ts';

export const XY_MARGINS: Margins = { top: 10, right: 20, bottom: 24, left: 84 };
export const XY_HEIGHT_PX = 260;

/** A row at its place. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly row: number;
}

/** Rows as points, by series. */
export interface XyModel {
  /** Whether x is a time. */
  readonly timed: boolean;
  readonly series: Series;
  /** The points of each series by x. */
  readonly points: readonly (readonly Point[])[];
  /** The least distance between two x: the length of a bucket. */
  readonly step: number;
  /** What the axis of x covers where it is no time. */
  readonly x: readonly [number, number];
  /** The least and the greatest y, with 0 among them. */
  readonly y: readonly [number, number];
}

/** The points of a panel; rows without x or y are none. */
export function xyModel(panel: PanelModel): XyModel {
  const rows = new DrawnRows(panel);
  const series = readSeries(rows, (row) => Math.abs(rows.number(row, 'y') ?? 0));
  const points = Array.from({ length: Math.max(1, series.names.length) }, (): Point[] => []);
  for (let row = 0; row < rows.count; row++) {
    const x = rows.number(row, 'x');
    const y = rows.number(row, 'y');
    if (x !== null && y !== null) points[series.ofRow[row] ?? 0]?.push({ x, y, row });
  }
  for (const each of points) each.sort((one, other) => one.x - other.x);
  const xs = [...new Set(points.flat().map(({ x }) => x))].sort(d3.ascending);
  const [low = 0, high = 0] = d3.extent(points.flat(), ({ y }) => y);
  return {
    timed: rows.kind('x') === 'time_ns',
    series,
    points,
    step: d3.min(d3.pairs(xs), ([one, other]) => other - one) ?? 1,
    x: [xs[0] ?? 0, xs.at(-1) ?? 1],
    y: [Math.min(0, low), Math.max(0, high)],
  };
}

/** The scales of a plot of points: px for x and y. `last`: how far beyond the last x the axis reaches. */
export function xyScales(model: XyModel, plot: Plot, range: TimeRange, last = 0) {
  const [least, most] = model.x;
  const end = most + last > least ? most + last : least + 1;
  const x = model.timed ? timeScale(range, plot.width) : d3.scaleLinear([least, end], [0, plot.width]);
  const [low, high] = model.y;
  return { x, y: d3.scaleLinear([low, high > low ? high : low + 1], [plot.height, 0]).nice() };
}

/** Draws the axes of points. */
export function drawXyAxes(
  panel: PanelModel,
  model: XyModel,
  plot: Plot,
  range: TimeRange,
  scales: ReturnType<typeof xyScales>,
): void {
  const rows = new DrawnRows(panel);
  drawValueAxis(plot, scales.y, 'left', (value) => rows.format('y', value));
  if (model.timed) drawTimeAxis(plot, range, panel.origin_ns);
  else drawValueAxis(plot, scales.x, 'bottom', (value) => rows.format('x', value));
}

/** The point nearest to a place in px, within `within` px; null for none. */
export function nearest(
  { points }: XyModel,
  { x, y }: ReturnType<typeof xyScales>,
  left: number,
  top: number,
  within: number,
): Point | null {
  let best: { readonly point: Point; readonly far: number } | null = null;
  for (const each of points) {
    const from = d3.bisector((point: Point) => point.x).left(each, x.invert(left - within));
    const to = x.invert(left + within);
    for (let at = from; at < each.length; at++) {
      const point = each[at];
      if (point === undefined || point.x > to) break;
      const far = Math.hypot(x(point.x) - left, y(point.y) - top);
      if (far <= within && (best === null || far < best.far)) best = { point, far };
    }
  }
  return best?.point ?? null;
}
