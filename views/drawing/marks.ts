import type { PanelModel } from '../../shared/panel/index.ts';
import { addLabel, drawTimeAxis, fitted, timeScale, widthOf, type Margins } from '../kit/index.ts';
import type { Picture } from './picture.ts';
import { DrawnRows, rowLines } from './rows.ts';
import { colorOf, readSeries, seriesLegend, type Series } from './series.ts';

const MARGINS: Margins = { top: 20, right: 20, bottom: 24, left: 84 };
const HEIGHT_PX = 110;
const CHARACTER_PX = 6.2;
const NEAR_PX = 5;

/** A row at its instant. */
export interface Instant {
  readonly ts: number;
  readonly label: string;
  readonly row: number;
}

/** Instants by series, each by time. */
export interface MarksModel {
  readonly series: Series;
  readonly instants: readonly (readonly Instant[])[];
}

/** The instants of a panel. */
export function marksModel(panel: PanelModel): MarksModel {
  const rows = new DrawnRows(panel);
  const series = readSeries(rows, () => 1);
  const instants = Array.from({ length: Math.max(1, series.names.length) }, (): Instant[] => []);
  for (let row = 0; row < rows.count; row++) {
    const ts = rows.number(row, 'ts');
    const label = rows.has('label') ? rows.text(row, 'label') : '';
    if (ts !== null) instants[series.ofRow[row] ?? 0]?.push({ ts, label, row });
  }
  for (const each of instants) each.sort((one, other) => one.ts - other.ts);
  return { series, instants };
}

/** A line over the time axis for each row; labels where they have room. */
export function marksPicture(panel: PanelModel): Picture {
  const { series, instants } = marksModel(panel);
  const all = instants.flat().sort((one, other) => one.ts - other.ts);
  return {
    timed: true,
    height_px: HEIGHT_PX,
    margins: MARGINS,
    notes: [],
    legend: (palette) => seriesLegend(palette, series),
    draw(plot, range) {
      drawTimeAxis(plot, range, panel.origin_ns);
      const x = timeScale(range, plot.width);
      const isIn = ({ ts }: Instant) => range.start <= ts && ts <= range.end;
      instants.forEach((of, index) =>
        plot.fill(colorOf(plot.palette, series, index), (pen) => {
          for (const { ts } of of.filter(isIn)) pen.rect(x(ts) - 0.5, 0, 1, plot.height);
        }),
      );
      let free = 0;
      for (const { ts, label } of all.filter(isIn)) {
        const text = fitted(label, 28);
        const width = widthOf(text) * CHARACTER_PX;
        if (text === '' || x(ts) < free || x(ts) + width > plot.width + MARGINS.right) continue;
        free = x(ts) + width + 8;
        addLabel(plot, text, x(ts), -6, { color: plot.palette.text });
      }
    },
    at(left, _top, plot, range) {
      const x = timeScale(range, plot.width);
      const found = all.find(({ ts }) => Math.abs(x(ts) - left) <= NEAR_PX);
      return found === undefined ? null : { row: found.row, lines: rowLines(panel, found.row) };
    },
  };
}
