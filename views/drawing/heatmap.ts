import * as d3 from 'd3';
import type { PanelModel, Role } from '../../shared/panel/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  addLabel,
  drawTimeAxis,
  drawValueAxis,
  fittedLabel,
  timeScale,
  type Margins,
  type Palette,
  type Plot,
} from '../kit/index.ts';
import { nameRoom, type Picture } from './picture.ts';
import { DrawnRows, rowLines } from './rows.ts';

const MARGINS: Omit<Margins, 'left'> = { top: 6, right: 20, bottom: 24 };
const CELL_PX = 18;
const NAME_CHARACTERS = 26;
/** More names than these are left to the table. */
const MOST_NAMES = 80;
const SHADES = 8;

/** What one axis tells apart. */
export interface HeatAxis {
  /** Names in the order of the rows; null where the axis is of numbers. */
  readonly names: readonly string[] | null;
  /** Where the axis of numbers starts and ends, the last cell included. */
  readonly from: number;
  readonly to: number;
  /** How long a cell is, in the axis' own unit: 1 for names. */
  readonly step: number;
}

/** One cell: where it starts on both axes, and which of {@link SHADES} it has. */
export interface HeatCell {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  readonly row: number;
}

/** A bucket of time that is alone is this part of the range in view. */
const LONE_PARTS = 200;

/** Values in cells. */
export interface HeatModel {
  readonly x: HeatAxis;
  readonly y: HeatAxis;
  readonly cells: readonly HeatCell[];
  readonly least: number;
  readonly most: number;
  readonly left_out: number;
}

/** The cells of a panel. An axis is of names where its column holds text or ids. */
export function heatModel(panel: PanelModel): HeatModel {
  const rows = new DrawnRows(panel);
  const timed = rows.kind('x') === 'time_ns';
  const x = readAxis(rows, 'x', timed ? (panel.range.end - panel.range.start) / LONE_PARTS : 1);
  const y = readAxis(rows, 'y', 1);
  const cells: HeatCell[] = [];
  for (let row = 0; row < rows.count; row++) {
    const value = rows.number(row, 'value');
    const [left, top] = [x.place(row), y.place(row)];
    if (value !== null && left !== null && top !== null) cells.push({ x: left, y: top, value, row });
  }
  const [least = 0, most = 0] = d3.extent(cells, ({ value }) => value);
  return { x: x.axis, y: y.axis, cells, least, most, left_out: rows.count - cells.length };
}

/** `lone`: how wide a value is where there is no other to tell it. */
function readAxis(
  rows: DrawnRows,
  role: Role,
  lone: number,
): { axis: HeatAxis; place(row: number): number | null } {
  if (rows.kind(role) === 'text') {
    const all = [...new Set(Array.from({ length: rows.count }, (_, row) => rows.text(row, role)))];
    const names = all.slice(0, MOST_NAMES);
    const places = new Map(names.map((name, index) => [name, index]));
    return {
      axis: { names, from: 0, to: names.length, step: 1 },
      place: (row) => places.get(rows.text(row, role)) ?? null,
    };
  }
  const values = Array.from({ length: rows.count }, (_, row) => rows.number(row, role));
  const known = [...new Set(values.filter((value) => value !== null))].sort(d3.ascending);
  const step = d3.min(d3.pairs(known), ([one, other]) => other - one) ?? lone;
  const from = known[0] ?? 0;
  return {
    axis: { names: null, from, to: (known.at(-1) ?? from) + step, step },
    place: (row) => values[row] ?? null,
  };
}

/** Cells over two axes, the darker the more. */
export function heatPicture(panel: PanelModel): Picture {
  const model = heatModel(panel);
  const rows = new DrawnRows(panel);
  const timed = rows.kind('x') === 'time_ns';
  const shadeOf = (value: number) =>
    model.most === model.least
      ? SHADES - 1
      : Math.min(SHADES - 1, Math.floor(((value - model.least) / (model.most - model.least)) * SHADES));
  const shaded = d3.group(model.cells, ({ value }) => shadeOf(value));
  const scales = (plot: Plot, range: TimeRange) => ({
    x: timed ? timeScale(range, plot.width) : d3.scaleLinear([model.x.from, model.x.to], [0, plot.width]),
    // Names read from the top down, numbers grow upward.
    y: d3.scaleLinear(
      [model.y.from, model.y.to],
      model.y.names === null ? [plot.height, 0] : [0, plot.height],
    ),
  });
  const labels = model.y.names ?? [model.y.from, model.y.to].map((value) => rows.format('y', value));
  return {
    timed,
    height_px: MARGINS.top + MARGINS.bottom + (model.y.names === null ? 220 : model.y.names.length * CELL_PX),
    margins: { ...MARGINS, left: nameRoom(labels, NAME_CHARACTERS) },
    notes: model.left_out === 0 ? [] : [`${model.left_out} rows are in the table only.`],
    legend: (palette) =>
      [0, SHADES - 1].map((shade) => ({
        label: rows.format('value', shade === 0 ? model.least : model.most),
        color: shadeColor(palette, shade),
      })),
    draw(plot, range) {
      const { x, y } = scales(plot, range);
      if (timed) drawTimeAxis(plot, range, panel.origin_ns);
      else if (model.x.names === null) drawValueAxis(plot, x, 'bottom', (value) => rows.format('x', value));
      else writeNames(plot, model.x.names, x, 'bottom');
      if (model.y.names === null) drawValueAxis(plot, y, 'left', (value) => rows.format('y', value));
      else writeNames(plot, model.y.names, y, 'left');
      const inside = (at: number) => Math.max(0, Math.min(plot.width, x(at)));
      for (const [shade, cells] of shaded) {
        plot.fill(shadeColor(plot.palette, shade), (pen) => {
          for (const cell of cells) {
            const [left, right] = [inside(cell.x), inside(cell.x + model.x.step)];
            const [one, other] = [y(cell.y), y(cell.y + model.y.step)];
            const gap = right - left > 4 ? 1 : 0;
            if (right > left)
              pen.rect(
                left,
                Math.min(one, other),
                right - left - gap,
                Math.max(0.5, Math.abs(other - one) - 1),
              );
          }
        });
      }
    },
    at(left, top, plot, range) {
      const { x, y } = scales(plot, range);
      const [atX, atY] = [x.invert(left), y.invert(top)];
      const found = model.cells.find(
        (cell) =>
          cell.x <= atX && atX < cell.x + model.x.step && cell.y <= atY && atY < cell.y + model.y.step,
      );
      return found === undefined ? null : { row: found.row, lines: rowLines(panel, found.row) };
    },
  };
}

function shadeColor(palette: Palette, shade: number): string {
  return d3.interpolateRgb(palette.grid, palette.accent)((shade + 0.3) / (SHADES - 0.7));
}

function writeNames(
  plot: Plot,
  names: readonly string[],
  scale: d3.ScaleLinear<number, number>,
  place: 'left' | 'bottom',
): void {
  const room = Math.floor(plot.width / Math.max(1, names.length) / 6.4);
  names.forEach((name, index) => {
    const middle = (scale(index) + scale(index + 1)) / 2;
    if (place === 'bottom' && room < 2) return;
    const { text: color } = plot.palette;
    if (place === 'bottom')
      addLabel(plot, fittedLabel(name, room), middle, plot.height + 16, { color, at: 'middle' });
    else
      addLabel(plot, fittedLabel(name, NAME_CHARACTERS), -8, middle, { color, at: 'end', isCentred: true });
  });
}
