import type { Row } from '../../engine/index.ts';
import type { MeasuredTrace } from '../measures/index.ts';

/** A row of a rule: when, whose, and what was lost. It also has what the sentence names. */
export interface DrawnRow extends Row {
  readonly ts: number;
  readonly dur: number;
  readonly utid: number | null;
  readonly upid: number | null;
  readonly seconds_lost: number;
}

/** The rows that the SELECT of a rule gives, drawn from the tables of a trace; null where SQL has to tell. */
export type Draw = (of: MeasuredTrace, threshold: number) => Promise<readonly DrawnRow[] | null>;

/** Null in the place of a number, as `nullif` of SQL. */
export function nullIf(value: number | null, unwanted: number | null): number | null {
  return value === unwanted ? null : value;
}

/** The name of a file in a path of Windows. */
export function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('\\') + 1);
}
