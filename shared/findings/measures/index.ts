import type { Query } from '../../engine/index.ts';
import type { TimeRange } from '../../view/index.ts';
import { blamed } from './blamed.ts';
import { late } from './late.ts';
import { migrated } from './migrated.ts';
import { outranked } from './outranked.ts';
import { preempted } from './preempted.ts';
import { released } from './released.ts';
import { storms } from './storms.ts';
import { twoModes } from './two-modes.ts';

/** A recording that is measured. */
export interface Recording {
  readonly query: Query;
  readonly whole: TimeRange;
}

/** Facts that a rule can take as a table. */
export interface Measure {
  readonly columns: readonly string[];
  /** Most first; NaN where something is not known. `threshold` is that of the rule, and no more than `most` are looked at. */
  rows(of: Recording, threshold: number, most: number): Promise<readonly (readonly number[])[]>;
}

/** A row of a measure by its columns, in whole numbers; null where something is not known. */
export type MeasureRow = Readonly<Partial<Record<string, number | null>>>;

const MEASURES = {
  ...{ blamed, preempted, migrated, two_modes: twoModes },
  ...{ late, outranked, released, storms },
} as const;
export type MeasureName = keyof typeof MEASURES;

/** The names of all measures. */
export const MEASURE_NAMES = Object.keys(MEASURES) as readonly MeasureName[];

/** So many rows of a measure a rule can take: what is below them lost less. */
const MOST_ROWS = 200;

/** Measures one recording. */
export class MeasuredTrace implements Recording {
  readonly query: Query;
  readonly whole: TimeRange;

  constructor(query: Query, whole: TimeRange) {
    [this.query, this.whole] = [query, whole];
  }

  /** A measure as the definition of a table in a WITH. */
  async asTable(name: MeasureName, threshold: number): Promise<string> {
    const { columns } = MEASURES[name];
    const values = await this.#cells(name, threshold);
    const body =
      values.length === 0
        ? `SELECT ${columns.map(() => 'NULL').join(', ')} WHERE 0`
        : `VALUES ${values.map((row) => `(${row.map((cell) => cell ?? 'NULL').join(', ')})`).join(', ')}`;
    return `${name}(${columns.join(', ')}) AS (${body})`;
  }

  /** The rows that the table of {@link asTable} has. */
  async rowsOf(name: MeasureName, threshold: number): Promise<readonly MeasureRow[]> {
    const { columns } = MEASURES[name];
    const rows = await this.#cells(name, threshold);
    return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
  }

  async #cells(name: MeasureName, threshold: number): Promise<readonly (readonly (number | null)[])[]> {
    const measure: Measure = MEASURES[name];
    const values = (await measure.rows(this, threshold, MOST_ROWS)).slice(0, MOST_ROWS);
    return values.map((row) => row.map((value) => (Number.isFinite(value) ? Math.round(value) : null)));
  }
}
