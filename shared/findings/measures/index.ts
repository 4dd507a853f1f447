import type { Query } from '../../engine/index.ts';
import type { TimeRange } from '../../view/index.ts';
import { blamed } from './blamed.ts';
import { migrated } from './migrated.ts';
import { preempted } from './preempted.ts';
import { readMeasured, type Measured } from './read.ts';
import { twoModes } from './two-modes.ts';

/** Facts of threads that a rule can take as a table. */
export interface Measure {
  readonly columns: readonly string[];
  /** Most first; NaN where something is not known. */
  rows(of: Measured): readonly (readonly number[])[] | Promise<readonly (readonly number[])[]>;
}

const MEASURES = { blamed, preempted, migrated, two_modes: twoModes } as const;
export type MeasureName = keyof typeof MEASURES;

/** The names of all measures. */
export const MEASURE_NAMES = Object.keys(MEASURES) as readonly MeasureName[];

/** So many rows of a measure a rule can take: what is below them lost less. */
const MOST_ROWS = 200;

/** Measures one recording; what several rules take is read and counted once. */
export class MeasuredTrace {
  readonly #query: Query;
  readonly #whole: TimeRange;
  #read: Promise<Measured> | null = null;

  constructor(query: Query, whole: TimeRange) {
    this.#query = query;
    this.#whole = whole;
  }

  /** A measure as the definition of a table in a WITH. */
  async asTable(name: MeasureName): Promise<string> {
    const measure: Measure = MEASURES[name];
    const { columns } = measure;
    this.#read ??= readMeasured(this.#query, this.#whole);
    const values = (await measure.rows(await this.#read)).slice(0, MOST_ROWS);
    const cell = (value: number) => (Number.isFinite(value) ? String(Math.round(value)) : 'NULL');
    const body =
      values.length === 0
        ? `SELECT ${columns.map(() => 'NULL').join(', ')} WHERE 0`
        : `VALUES ${values.map((row) => `(${row.map(cell).join(', ')})`).join(', ')}`;
    return `${name}(${columns.join(', ')}) AS (${body})`;
  }
}
