import type { PanelModel } from '../../shared/panel/index.ts';
import type { Plot } from '../kit/index.ts';
import type { Picture } from './picture.ts';
import { rowLines } from './rows.ts';
import { colorOf, seriesLegend } from './series.ts';
import { drawXyAxes, nearest, type Point, XY_HEIGHT_PX, XY_MARGINS, xyModel, xyScales } from './xy.ts';

/** How near a pointer must be to a point, in px. */
const NEAR_PX = 24;
/** Points farther apart than this are dots of their own, in px. */
const DOTS_FROM_PX = 12;
const DOT_PX = 2.5;

/** One line a series. */
export function linesPicture(panel: PanelModel): Picture {
  return xyPicture(panel, NEAR_PX, (plot, line, { x, y }, color, step) => {
    plot.stroke(color, (pen) =>
      line.forEach((point, at) => {
        if (at === 0) pen.moveTo(x(point.x), y(point.y));
        else pen.lineTo(x(point.x), y(point.y));
      }),
    );
    if (Math.abs(x(step) - x(0)) >= DOTS_FROM_PX) drawDots(plot, line, { x, y }, color);
  });
}

/** One dot a row. */
export function scatterPicture(panel: PanelModel): Picture {
  return xyPicture(panel, NEAR_PX / 2, drawDots);
}

type Scales = ReturnType<typeof xyScales>;
type Points = readonly Point[];

/** A picture with an x and a y. `drawSeries` draws one series of it. A pointer finds points within `near_px`. */
function xyPicture(
  panel: PanelModel,
  near_px: number,
  drawSeries: (plot: Plot, points: Points, scales: Scales, color: string, step: number) => void,
): Picture {
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
      points.forEach((each, index) =>
        drawSeries(plot, each, scales, colorOf(plot.palette, series, index), model.step),
      );
    },
    at(left, top, plot, range) {
      const found = nearest(model, xyScales(model, plot, range), left, top, near_px);
      return found === null ? null : { row: found.row, lines: rowLines(panel, found.row) };
    },
  };
}

function drawDots(plot: Plot, points: Points, { x, y }: Scales, color: string): void {
  plot.fill(color, (pen) => {
    for (const point of points) {
      pen.moveTo(x(point.x) + DOT_PX, y(point.y));
      pen.arc(x(point.x), y(point.y), DOT_PX, 0, 2 * Math.PI);
    }
  });
}
