import * as d3 from 'd3';
import type { PanelModel } from '../../shared/panel/index.ts';
import { fitted, seriesColor, type Margins } from '../kit/index.ts';
import type { Picture } from './picture.ts';
import { DrawnRows, rowLines } from './rows.ts';

const MARGINS: Margins = { top: 6, right: 12, bottom: 6, left: 12 };
const ROW_PX = 18;
const CHARACTER_PX = 6.3;
const NARROWEST_PX = 0.4;
const LABEL_FROM_PX = 30;
/** Deeper frames are left to the table. */
const MOST_ROWS = 100;

/** A frame: how deep it is, and which part of all it takes. */
export interface FlameBox {
  readonly depth: number;
  /** 0 to 1. */
  readonly from: number;
  readonly to: number;
  /** Its own value and that of all below it. */
  readonly total: number;
  readonly name: string;
  readonly row: number;
}

/** Frames under their parents, the largest first. */
export interface FlameModel {
  readonly boxes: readonly FlameBox[];
  readonly depth: number;
  readonly left_out: number;
}

/** The tree of a panel: `value` is what a row has by itself. A row whose parent is not there is a root. */
export function flameModel(panel: PanelModel): FlameModel {
  const rows = new DrawnRows(panel);
  const all = d3.range(rows.count);
  const ids = new Map(all.map((row) => [rows.text(row, 'id'), row]));
  const parentOf = (row: number) =>
    rows.number(row, 'parent') === null && rows.text(row, 'parent') === '–'
      ? null
      : (ids.get(rows.text(row, 'parent')) ?? null);
  const children = d3.group(all, parentOf);
  const order: number[] = [...(children.get(null) ?? [])];
  // The list grows while it is walked: level after level.
  for (const row of order) for (const child of children.get(row) ?? []) order.push(child);
  const totals = new Map(order.map((row) => [row, Math.max(0, rows.number(row, 'value') ?? 0)]));
  for (const row of [...order].reverse()) {
    const parent = parentOf(row);
    if (parent !== null) totals.set(parent, (totals.get(parent) ?? 0) + (totals.get(row) ?? 0));
  }
  const whole = d3.sum(children.get(null) ?? [], (row) => totals.get(row) ?? 0) || 1;
  const boxes: FlameBox[] = [];
  let left_out = rows.count - order.length;
  const place = (siblings: readonly number[], depth: number, start: number) => {
    let from = start;
    for (const row of d3.sort(siblings, (one) => -(totals.get(one) ?? 0))) {
      const total = totals.get(row) ?? 0;
      if (depth >= MOST_ROWS) {
        left_out += 1;
        continue;
      }
      boxes.push({ depth, from, to: from + total / whole, total, name: rows.text(row, 'name'), row });
      place(children.get(row) ?? [], depth + 1, from);
      from += total / whole;
    }
  };
  place(children.get(null) ?? [], 0, 0);
  return { boxes, depth: (d3.max(boxes, ({ depth }) => depth) ?? -1) + 1, left_out };
}

/** Frames as boxes below their parents, as wide as their part. */
export function flamePicture(panel: PanelModel): Picture {
  const rows = new DrawnRows(panel);
  const { boxes, depth, left_out } = flameModel(panel);
  const hueOf = (name: string) =>
    Array.from(name).reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) >>> 0, 7) % 12;
  const colored = d3.group(boxes, ({ name }) => hueOf(name));
  return {
    timed: false,
    height_px: MARGINS.top + depth * ROW_PX + MARGINS.bottom,
    margins: MARGINS,
    notes: left_out === 0 ? [] : [`${left_out} rows are in the table only: too deep, or in no root's tree.`],
    legend: () => [],
    draw(plot) {
      const tint = (hue: number) =>
        d3.interpolateRgb(seriesColor(plot.palette, hue), plot.palette.background)(0.45);
      for (const [hue, of] of colored) {
        plot.fill(tint(hue), (pen) => {
          for (const box of of) {
            const width = (box.to - box.from) * plot.width;
            if (width >= NARROWEST_PX)
              pen.rect(
                box.from * plot.width,
                box.depth * ROW_PX,
                Math.max(NARROWEST_PX, width - 1),
                ROW_PX - 1,
              );
          }
        });
      }
      for (const box of boxes) {
        const width = (box.to - box.from) * plot.width;
        if (width < LABEL_FROM_PX) continue;
        plot.svg
          .append('text')
          .attr('x', box.from * plot.width + 4)
          .attr('y', box.depth * ROW_PX + ROW_PX / 2)
          .attr('dy', '0.32em')
          .attr('font-size', 11)
          .attr('fill', plot.palette.text)
          .text(fitted(box.name, Math.floor((width - 8) / CHARACTER_PX)));
      }
    },
    at(left, top, plot) {
      const depthAt = Math.floor(top / ROW_PX);
      const part = left / plot.width;
      const box = boxes.find((each) => each.depth === depthAt && each.from <= part && part < each.to);
      if (box === undefined) return null;
      const total = `With all below it: ${rows.format('value', box.total)}`;
      return { row: box.row, lines: [box.name, total, ...rowLines(panel, box.row)] };
    },
  };
}
