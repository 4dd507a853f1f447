import type { Cell } from '../engine/index.ts';
import type { TimeRange, ViewColumn, ViewTable } from '../view/index.ts';
import type { Click } from './click.ts';
import type { Drawing } from './drawing.ts';

/** The rows of a panel, with all that it takes to draw them. */
export interface PanelModel {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The start of the trace, from which times count, in ns on the trace clock. */
  readonly origin_ns: number;
  /** The range that the rows were asked for. */
  readonly range: TimeRange;
  readonly drawing: Drawing;
  readonly columns: readonly ViewColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** In place of the keys in columns of threads and processes: what they are called, by row; null in others. */
  readonly labels: readonly (readonly (string | null)[] | null)[];
  /** Whether there are more rows than these. */
  readonly more: boolean;
  /** What records what the panel needs and the trace lacks; then there are no rows. */
  readonly missing: readonly string[];
  readonly click: Click | null;
  /** The scale of values reaches so far at least: panels that are compared have one scale. */
  readonly scale_most?: number;
}

/** The rows as a table: the same facts that are drawn. */
export function panelTables(model: PanelModel): readonly ViewTable[] {
  const { title, columns, rows, labels } = model;
  const named = rows.map((cells, row) => cells.map((cell, at) => labels[at]?.[row] ?? cell));
  return [{ title, columns, rows: named }];
}
