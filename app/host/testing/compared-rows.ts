import { expect } from 'vitest';
import { decodeQueryResult, type Cell, type QueryResult } from '../../../shared/engine/index.ts';
import { numberAt, textAt, type TableName, type Tables } from '../../../shared/tables/index.ts';

/** Rows by column, since an object for each row takes longer than all else. Each column has as many values as there are rows. */
export type Columns = ReadonlyMap<string, readonly unknown[]>;

/** The rows of a table, in the order of their batches. */
export async function columnsOf(
  tables: Tables,
  table: TableName,
  names: readonly string[],
): Promise<Map<string, unknown[]>> {
  const columns = new Map(names.map((name) => [name, [] as unknown[]]));
  for await (const batch of tables.batches(table, names))
    for (const [name, into] of columns) {
      const values = batch.columns[name];
      if (values === undefined) throw new Error(`${table} has no column ${name}`);
      const valueAt = values.texts === null ? numberAt : textAt;
      for (let row = 0; row < batch.rowCount; row++) into.push(valueAt(values, row));
    }
  return columns;
}

/** The rows of a result. */
export function columnsOfResult(result: QueryResult): Map<string, Cell[]> {
  const columns = new Map<string, Cell[]>();
  result.columns.forEach((name, column) => {
    const cells: Cell[] = [];
    for (let row = 0; row < result.rowCount; row++) cells.push(result.cell(row, column));
    columns.set(name, cells);
  });
  return columns;
}

/** How many rows there are. */
export function rowCountOf(columns: Columns): number {
  for (const [, values] of columns) return values.length;
  return 0;
}

/** Expects the same columns with the same rows in the same order. Both are compared value by value before a row is made of them. */
export function expectSameRows(found: Columns, expected: Columns, message: string): void {
  if (areSame(found, expected)) return;
  expect(rowsOf(found), message).toEqual(rowsOf(expected));
}

/** Expects the same columns and rows of two results. */
export function expectSameResults(found: Uint8Array, expected: Uint8Array, message: string): void {
  if (Buffer.compare(found, expected) === 0) return;
  const [rows, wanted] = [decodeQueryResult(found), decodeQueryResult(expected)];
  expectSameRows(columnsOfResult(rows), columnsOfResult(wanted), message);
}

/** Expects the same columns with the same rows, each as often, in any order. Only rows that differ from those in their place need texts. */
export function expectSameInAnyOrder(found: Columns, expected: Columns, message: string): void {
  if (areSame(found, expected)) return;
  expect([...found.keys()], message).toEqual([...expected.keys()]);
  expect(rowCountOf(found), message).toBe(rowCountOf(expected));
  const differing = differingRows(found, expected);
  expect(textsOf(found, differing), message).toEqual(textsOf(expected, differing));
}

function differingRows(found: Columns, expected: Columns): readonly number[] {
  const differs = new Uint8Array(rowCountOf(expected));
  for (const [name, values] of expected) {
    const others = found.get(name) ?? [];
    for (let row = 0; row < values.length; row++) if (!Object.is(others[row], values[row])) differs[row] = 1;
  }
  return Array.from(differs.keys()).filter((row) => differs[row] === 1);
}

function areSame(found: Columns, expected: Columns): boolean {
  if (found.size !== expected.size) return false;
  for (const [name, values] of expected) {
    const others = found.get(name);
    if (others === undefined || !areSameValues(others, values)) return false;
  }
  return true;
}

function areSameValues(found: readonly unknown[], expected: readonly unknown[]): boolean {
  if (found.length !== expected.length) return false;
  for (let row = 0; row < found.length; row++) if (!Object.is(found[row], expected[row])) return false;
  return true;
}

function rowsOf(columns: Columns): Record<string, unknown>[] {
  return Array.from({ length: rowCountOf(columns) }, (_, row) =>
    Object.fromEntries([...columns].map(([name, values]) => [name, values[row]])),
  );
}

/** A text for each of some rows, sorted. */
function textsOf(columns: Columns, rows: readonly number[]): readonly string[] {
  const textOf = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : String(value));
  return rows.map((row) => Array.from(columns.values(), (values) => textOf(values[row])).join()).sort();
}
