import * as d3 from 'd3';
import type { PanelModel } from '../../shared/panel/index.ts';
import { addLabel, drawValueAxis, fittedLabel, type Margins } from '../kit/index.ts';
import { nameRoom, type Picture } from './picture.ts';
import { DrawnRows, rowLines } from './rows.ts';
import { colorOf, readSeries, seriesLegend, type Series } from './series.ts';

const MARGINS: Margins = { top: 6, right: 84, bottom: 24, left: 0 };
const BAR_PX = 20;
const GAP_PX = 3;
const NAME_CHARACTERS = 42;
/** More bars than these are left to the table. */
const MOST_BARS = 60;

/** A bar of one or more parts. */
export interface Bar {
  readonly name: string;
  readonly total: number;
  readonly parts: readonly { readonly row: number; readonly series: number; readonly value: number }[];
}

/** Bars in the order of the rows; rows of one name are parts of one bar. */
export interface BarsModel {
  readonly bars: readonly Bar[];
  readonly series: Series;
  readonly most: number;
  /** How many bars are not drawn. */
  readonly left_out: number;
}

/** The bars of a panel. Parts below 0 are as long as nothing. */
export function barsModel(panel: PanelModel): BarsModel {
  const rows = new DrawnRows(panel);
  const value = (row: number) => Math.max(0, rows.number(row, 'value') ?? 0);
  const series = readSeries(rows, value);
  const bars = new Map<string, Bar['parts'][number][]>();
  for (let row = 0; row < rows.count; row++) {
    const name = rows.text(row, 'name');
    const parts = bars.get(name) ?? [];
    parts.push({ row, series: series.ofRow[row] ?? 0, value: value(row) });
    bars.set(name, parts);
  }
  const all = [...bars].map(([name, parts]) => ({
    name,
    total: d3.sum(parts, (part) => part.value),
    parts: parts.sort((one, other) => one.series - other.series),
  }));
  const shown = all.slice(0, MOST_BARS);
  return {
    bars: shown,
    series,
    most: Math.max(panel.scale_most ?? 0, d3.max(shown, ({ total }) => total) ?? 0),
    left_out: all.length - shown.length,
  };
}

/** The length of the longest bar; 0 for a panel that draws none. */
export function longestBar(panel: PanelModel): number {
  return panel.drawing.kind === 'bars' ? barsModel(panel).most : 0;
}

/** One bar a name, its length the value. */
export function barsPicture(panel: PanelModel): Picture {
  const model = barsModel(panel);
  const rows = new DrawnRows(panel);
  const { bars, series, most, left_out } = model;
  const scale = (width: number) => d3.scaleLinear([0, Math.max(most, Number.MIN_VALUE)], [0, width]);
  const top = (index: number) => index * (BAR_PX + GAP_PX);
  const margins = {
    ...MARGINS,
    left: nameRoom(
      bars.map(({ name }) => name),
      NAME_CHARACTERS,
    ),
  };
  return {
    timed: false,
    height_px: margins.top + bars.length * (BAR_PX + GAP_PX) + margins.bottom,
    margins,
    notes: left_out === 0 ? [] : [`${left_out} more bars are in the table only.`],
    legend: (palette) => seriesLegend(palette, series),
    draw(plot) {
      const x = scale(plot.width);
      drawValueAxis(plot, x, 'bottom', (value) => rows.format('value', value));
      for (let index = 0; index < Math.max(1, series.names.length); index++) {
        plot.fill(colorOf(plot.palette, series, index), (pen) =>
          bars.forEach(({ parts }, bar) => {
            let from = 0;
            for (const part of parts) {
              if (part.series === index && part.value > 0)
                pen.rect(x(from), top(bar), Math.max(0.5, x(from + part.value) - x(from)), BAR_PX);
              from += part.value;
            }
          }),
        );
      }
      const { text: color, muted } = plot.palette;
      bars.forEach(({ name, total }, bar) => {
        const middle = top(bar) + BAR_PX / 2;
        addLabel(plot, fittedLabel(name, NAME_CHARACTERS), -8, middle, { color, at: 'end', isCentred: true });
        addLabel(plot, rows.format('value', total), x(total) + 6, middle, { color: muted, isCentred: true });
      });
    },
    at(left, y, plot) {
      const bar = bars[Math.floor(y / (BAR_PX + GAP_PX))];
      if (bar === undefined || y < 0) return null;
      const wanted = scale(plot.width).invert(left);
      let upTo = 0;
      const part = bar.parts.find(({ value }) => (upTo += value) >= wanted) ?? bar.parts.at(-1);
      return part === undefined ? null : { row: part.row, lines: rowLines(panel, part.row) };
    },
  };
}
