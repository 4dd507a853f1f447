import { readHalves, readReals, type QueryResult } from '../engine/index.ts';

/** The reals of a column of bytes (see `etw.sample_columns`), of all rows. */
export function realsOf(rows: QueryResult, column: string): Float64Array {
  const parts = partsOf(rows, column).map(readReals);
  const joined = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const part of parts) {
    joined.set(part, filled);
    filled += part.length;
  }
  return joined;
}

/** The integers of a column of bytes, of all rows: the lower and the upper half of each. */
export function halvesOf(
  rows: QueryResult,
  column: string,
): { readonly lower: Int32Array; readonly upper: Int32Array } {
  const parts = partsOf(rows, column).map(readHalves);
  const count = parts.reduce((sum, { length }) => sum + length / 2, 0);
  const [lower, upper] = [new Int32Array(count), new Int32Array(count)];
  let filled = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 2) {
      lower[filled] = part[at] ?? 0;
      upper[filled] = part[at + 1] ?? 0;
      filled++;
    }
  }
  return { lower, upper };
}

/** The blobs of a column; a row of no values has none. */
function partsOf(rows: QueryResult, column: string): Uint8Array[] {
  const index = rows.columns.indexOf(column);
  const cells = Array.from({ length: rows.rowCount }, (_, row) => rows.cell(row, index));
  return cells.filter((cell) => cell instanceof Uint8Array);
}
