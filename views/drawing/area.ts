import type { PanelModel } from '../../shared/panel/index.ts';
import type { Picture } from './picture.ts';
import { rowLines } from './rows.ts';
import { colorOf, seriesLegend, type Series } from './series.ts';
import { drawXyAxes, XY_HEIGHT_PX, XY_MARGINS, xyModel, xyScales, type XyModel } from './xy.ts';

/** A row as a box: from `x` on for one step, between two heights. */
export interface AreaBox {
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly row: number;
}

/** Stacked boxes by series, the largest series lowest. */
export interface AreaModel extends Omit<XyModel, 'points'> {
  readonly boxes: readonly (readonly AreaBox[])[];
  readonly series: Series;
}

/** The areas of a panel: at each x the series one above the other. A value below 0 counts as 0. */
export function areaModel(panel: PanelModel): AreaModel {
  const { points, ...model } = xyModel(panel);
  const heights = new Map<number, number>();
  const boxes = points.map((of) =>
    of.map(({ x, y, row }) => {
      const from = heights.get(x) ?? 0;
      const to = from + Math.max(0, y);
      heights.set(x, to);
      return { x, from, to, row };
    }),
  );
  return { ...model, boxes, y: [0, [...heights.values()].reduce((most, each) => Math.max(most, each), 0)] };
}

/** Stacked areas: each row is as wide as the distance between two rows. */
export function areaPicture(panel: PanelModel): Picture {
  const { boxes, ...rest } = areaModel(panel);
  const model = { ...rest, points: [] };
  return {
    timed: model.timed,
    height_px: XY_HEIGHT_PX,
    margins: XY_MARGINS,
    notes: [],
    legend: (palette) => seriesLegend(palette, model.series),
    draw(plot, range) {
      const scales = xyScales(model, plot, range, model.step);
      drawXyAxes(panel, model, plot, range, scales);
      const inside = (x: number) => Math.max(0, Math.min(plot.width, scales.x(x)));
      boxes.forEach((of, index) =>
        plot.fill(colorOf(plot.palette, model.series, index), (pen) => {
          for (const { x, from, to } of of) {
            const left = inside(x);
            const right = inside(x + model.step);
            const top = scales.y(to);
            if (right > left && to > from) pen.rect(left, top, right - left, scales.y(from) - top);
          }
        }),
      );
    },
    at(left, top, plot, range) {
      const { x, y } = xyScales(model, plot, range, model.step);
      const [at, height] = [x.invert(left), y.invert(top)];
      for (const of of boxes) {
        const box = of.find(
          (each) => each.x <= at && at < each.x + model.step && each.from <= height && height < each.to,
        );
        if (box !== undefined) return { row: box.row, lines: rowLines(panel, box.row) };
      }
      return null;
    },
  };
}
