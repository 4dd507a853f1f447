import * as d3 from 'd3';
import type { PanelModel } from '../../shared/panel/index.ts';
import { drawTimeAxis, fittedLabel, nameLanes, timeScale, type Margins } from '../kit/index.ts';
import { nameRoom, type Picture } from './picture.ts';
import { DrawnRows, rowLines } from './rows.ts';
import { colorOf, readSeries, seriesLegend, type Series } from './series.ts';

const MARGINS: Margins = { top: 8, right: 16, bottom: 24, left: 0 };
const LANE_PX = 18;
const GAP_PX = 4;
const NAME_CHARACTERS = 32;
/** More lanes than these are left to the table. */
const MOST_LANES = 60;

/** A row over time. */
export interface Span {
  readonly lane: number;
  readonly ts: number;
  readonly dur: number;
  readonly row: number;
}

/** Spans in lanes: one a thread, process, or whatever the column holds. */
export interface SpansModel {
  readonly lanes: readonly string[];
  readonly series: Series;
  /** By series, each by time. */
  readonly spans: readonly (readonly Span[])[];
  readonly left_out: number;
}

/** The spans of a panel, lanes in the order of the rows. A dur of null is no length. */
export function spansModel(panel: PanelModel): SpansModel {
  const rows = new DrawnRows(panel);
  const series = readSeries(rows, (row) => rows.number(row, 'dur') ?? 0);
  const lanes = new Map<string, number>();
  const spans = Array.from({ length: Math.max(1, series.names.length) }, (): Span[] => []);
  let left_out = 0;
  for (let row = 0; row < rows.count; row++) {
    const name = rows.text(row, 'lane');
    const ts = rows.number(row, 'ts');
    const lane = lanes.get(name) ?? lanes.size;
    if (ts === null || lane >= MOST_LANES) {
      left_out += 1;
      continue;
    }
    lanes.set(name, lane);
    const dur = Math.max(0, rows.number(row, 'dur') ?? 0);
    spans[series.ofRow[row] ?? 0]?.push({ lane, ts, dur, row });
  }
  for (const each of spans) each.sort((one, other) => one.ts - other.ts);
  return { lanes: [...lanes.keys()], series, spans, left_out };
}

/** A bar a row, in the lane of its thread or process. */
export function spansPicture(panel: PanelModel): Picture {
  const { lanes, series, spans, left_out } = spansModel(panel);
  const top = (lane: number) => lane * (LANE_PX + GAP_PX);
  const margins = { ...MARGINS, left: nameRoom(lanes, NAME_CHARACTERS) };
  return {
    timed: true,
    height_px: margins.top + lanes.length * (LANE_PX + GAP_PX) + margins.bottom,
    margins,
    notes: left_out === 0 ? [] : [`${left_out} rows are in the table only.`],
    legend: (palette) => seriesLegend(palette, series),
    draw(plot, range) {
      drawTimeAxis(plot, range, panel.origin_ns);
      const x = timeScale(range, plot.width).clamp(true);
      spans.forEach((of, index) =>
        plot.fill(colorOf(plot.palette, series, index), (pen) => {
          for (const { lane, ts, dur } of of) {
            if (ts > range.end || ts + dur < range.start) continue;
            pen.rect(x(ts), top(lane), Math.max(0.7, x(ts + dur) - x(ts)), LANE_PX);
          }
        }),
      );
      const names = lanes.map((name) => fittedLabel(name, NAME_CHARACTERS));
      nameLanes(plot, names, (lane) => top(lane) + LANE_PX / 2, plot.palette.text);
    },
    at(left, y, plot, range) {
      const x = timeScale(range, plot.width);
      const lane = Math.floor(y / (LANE_PX + GAP_PX));
      const here = spans
        .flat()
        .filter((span) => span.lane === lane && x(span.ts) - 2 <= left && left <= x(span.ts + span.dur) + 2);
      const found = d3.least(here, ({ dur }) => dur);
      return found === undefined ? null : { row: found.row, lines: rowLines(panel, found.row) };
    },
  };
}
