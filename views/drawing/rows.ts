import { toNumber } from '../../shared/engine/index.ts';
import { formatCell } from '../../shared/model/index.ts';
import type { PanelModel, Role } from '../../shared/panel/index.ts';
import type { ViewColumn } from '../../shared/view/index.ts';

/** The cells of a panel's rows by the role that their column has in the drawing. */
export class DrawnRows {
  readonly #panel: PanelModel;

  constructor(panel: PanelModel) {
    this.#panel = panel;
  }

  get count(): number {
    return this.#panel.rows.length;
  }

  /** Whether a column has the role. */
  has(role: Role): boolean {
    return this.#panel.drawing.roles[role] !== undefined;
  }

  /** The kind of the role's column. */
  kind(role: Role): ViewColumn['kind'] {
    return this.#panel.columns[this.#at(role)]?.kind ?? 'text';
  }

  /** The number in a row; null for none. */
  number(row: number, role: Role): number | null {
    return toNumber(this.#panel.rows[row]?.[this.#at(role)]);
  }

  /** What a row's cell reads as: threads and processes by their names. */
  text(row: number, role: Role): string {
    const at = this.#at(role);
    return this.#panel.labels[at]?.[row] ?? this.format(role, this.#panel.rows[row]?.[at] ?? null);
  }

  /** A value as cells of the role's column read. */
  format(role: Role, value: Parameters<typeof formatCell>[0]): string {
    return formatCell(value, this.kind(role), this.#panel.origin_ns);
  }

  #at(role: Role): number {
    const name = this.#panel.drawing.roles[role];
    return this.#panel.columns.findIndex((column) => column.name === name);
  }
}

/** All that a row says, a line a column; the first stands out in a tooltip. */
export function rowLines({ columns, rows, labels, origin_ns }: PanelModel, row: number): readonly string[] {
  return columns.map(({ title, kind }, at) => {
    const cell = labels[at]?.[row] ?? rows[row]?.[at] ?? null;
    return `${title}: ${formatCell(cell, kind, origin_ns)}`;
  });
}
