import type { PanelModel } from '../../shared/panel/index.ts';
import type { Picture } from './picture.ts';
import { rowLines } from './rows.ts';
import { colorOf, seriesLegend } from './series.ts';
import { drawXyAxes, nearest, XY_HEIGHT_PX, XY_MARGINS, xyModel, xyScales } from './xy.ts';

/** How near a pointer must be to a point, in px. */
const NEAR_PX = 24;
/** Points farther apart than this are dots of their own, in px. */
const DOTS_FROM_PX = 12;
const DOT_PX = 2.5;

/** One line a series. */
export function linesPicture(panel: PanelModel): Picture {
  const model = xyModel(panel);
  const { series, points, timed } = model;
  return {
    timed,
    height_px: XY_HEIGHT_PX,
    margins: XY_MARGINS,
    notes: [],
    legend: (palette) => seriesLegend(palette, series),
    draw(plot, range) {
      const scales = xyScales(model, plot, range);
      drawXyAxes(panel, model, plot, range, scales);
      const { x, y } = scales;
      const dots = Math.abs(x(model.step) - x(0)) >= DOTS_FROM_PX;
      points.forEach((line, index) => {
        const color = colorOf(plot.palette, series, index);
        plot.stroke(color, (pen) =>
          line.forEach((point, at) => {
            if (at === 0) pen.moveTo(x(point.x), y(point.y));
            else pen.lineTo(x(point.x), y(point.y));
          }),
        );
        if (!dots) return;
        plot.fill(color, (pen) => {
          for (const point of line) {
            pen.moveTo(x(point.x) + DOT_PX, y(point.y));
            pen.arc(x(point.x), y(point.y), DOT_PX, 0, 2 * Math.PI);
          }
        });
      });
    },
    at(left, top, plot, range) {
      const found = nearest(model, xyScales(model, plot, range), left, top, NEAR_PX);
      return found === null ? null : { row: found.row, lines: rowLines(panel, found.row) };
    },
  };
}

/** One dot a row. */
export function scatterPicture(panel: PanelModel): Picture {
  const model = xyModel(panel);
  const { series, points, timed } = model;
  return {
    timed,
    height_px: XY_HEIGHT_PX,
    margins: XY_MARGINS,
    notes: [],
    legend: (palette) => seriesLegend(palette, series),
    draw(plot, range) {
      const scales = xyScales(model, plot, range);
      drawXyAxes(panel, model, plot, range, scales);
      const { x, y } = scales;
      points.forEach((dots, index) =>
        plot.fill(colorOf(plot.palette, series, index), (pen) => {
          for (const point of dots) {
            pen.moveTo(x(point.x) + DOT_PX, y(point.y));
            pen.arc(x(point.x), y(point.y), DOT_PX, 0, 2 * Math.PI);
          }
        }),
      );
    },
    at(left, top, plot, range) {
      const found = nearest(model, xyScales(model, plot, range), left, top, NEAR_PX / 2);
      return found === null ? null : { row: found.row, lines: rowLines(panel, found.row) };
    },
  };
}
