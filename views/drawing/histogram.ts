import * as d3 from 'd3';
import { formatCount } from '../../shared/model/index.ts';
import type { PanelModel } from '../../shared/panel/index.ts';
import { drawHistogram, drawValueAxis, histogramScales } from '../kit/index.ts';
import type { Picture } from './picture.ts';
import { DrawnRows } from './rows.ts';
import { XY_HEIGHT_PX, XY_MARGINS } from './xy.ts';

const BINS = 40;
/** Bins of a decade of durations. */
const DECADE_BINS = 10;
const MARGINS = { ...XY_MARGINS, top: 34 };

/** How many rows have a value from `from` (inside) to `to` (outside; inside of the last). */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Values in bins. */
export interface HistogramModel {
  /** Whether bins grow by a factor, as for durations; else all are as wide. */
  readonly log: boolean;
  readonly bins: readonly Bin[];
  /** The half and the 99th hundredth of values are not above these. */
  readonly p50: number;
  readonly p99: number;
}

/** The bins of a panel's values; a row counts as often as its `count` says. */
export function histogramModel(panel: PanelModel): HistogramModel {
  const rows = new DrawnRows(panel);
  const values: { value: number; count: number }[] = [];
  for (let row = 0; row < rows.count; row++) {
    const value = rows.number(row, 'value');
    const count = rows.has('count') ? (rows.number(row, 'count') ?? 0) : 1;
    if (value !== null && count > 0) values.push({ value, count });
  }
  values.sort((one, other) => one.value - other.value);
  const log = rows.kind('value') === 'duration_ns';
  const low = values[0]?.value ?? 0;
  const high = values.at(-1)?.value ?? 1;
  const edges = log ? logEdges(low, high) : linearEdges(low, high);
  const counts = new Array<number>(edges.length - 1).fill(0);
  for (const { value, count } of values) {
    const at = Math.max(0, Math.min(counts.length - 1, d3.bisectRight(edges, value) - 1));
    counts[at] = (counts[at] ?? 0) + count;
  }
  const total = d3.sum(values, ({ count }) => count);
  const percentile = (part: number) => {
    let seen = 0;
    return values.find(({ count }) => (seen += count) >= total * part)?.value ?? low;
  };
  return {
    log,
    bins: counts.map((count, at) => ({ from: edges[at] ?? 0, to: edges[at + 1] ?? 0, count })),
    p50: percentile(0.5),
    p99: percentile(0.99),
  };
}

function logEdges(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(Math.max(1, low))) * DECADE_BINS;
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(1, high) * 1.0001)) * DECADE_BINS);
  return d3.range(first, last + 1).map((power) => 10 ** (power / DECADE_BINS));
}

function linearEdges(low: number, high: number): number[] {
  const ticks = d3.ticks(low, high > low ? high : low + 1, BINS);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  const first = Math.floor(low / step) * step;
  const count = Math.max(1, Math.ceil((high - first) / step + 1e-9));
  return d3.range(count + 1).map((at) => first + at * step);
}

/** How often values occur: durations on a log axis, others on a linear one. */
export function histogramPicture(panel: PanelModel): Picture {
  const rows = new DrawnRows(panel);
  const model = histogramModel(panel);
  const { bins, log, p50, p99 } = model;
  const durations = bins.map(({ from, to, count }) => ({ from_ns: from, to_ns: to, count }));
  const linear = (width: number) => d3.scaleLinear([bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1], [0, width]);
  return {
    timed: false,
    height_px: XY_HEIGHT_PX,
    margins: MARGINS,
    notes: [],
    legend: () => [],
    draw(plot) {
      if (log) {
        drawHistogram(plot, durations, [
          { label: 'p50', at_ns: p50 },
          { label: 'p99', at_ns: p99 },
        ]);
        return;
      }
      const x = linear(plot.width);
      const most = d3.max(bins, ({ count }) => count) ?? 1;
      const y = d3.scaleLinear([0, most], [plot.height, 0]).nice();
      drawValueAxis(plot, y, 'left', formatCount);
      drawValueAxis(plot, x, 'bottom', (value) => rows.format('value', value));
      plot.fill(plot.palette.series[1], (pen) => {
        for (const { from, to, count } of bins) {
          const width = x(to) - x(from);
          if (count > 0) pen.rect(x(from), y(count), width > 4 ? width - 1 : width, plot.height - y(count));
        }
      });
    },
    at(left, _top, plot) {
      const { x } = log ? histogramScales(durations, plot.width, plot.height) : { x: linear(plot.width) };
      const value = x.invert(left);
      const bin = bins.find(({ from, to }) => from <= value && value < to);
      if (bin === undefined) return null;
      const range = `${rows.format('value', bin.from)} to ${rows.format('value', bin.to)}`;
      return { row: null, lines: [`${formatCount(bin.count)} rows`, range] };
    },
  };
}
