import type { QueryResult } from './result.ts';
import { WIRE, WireError, WireReader } from './wire.ts';

/** Fields of trace_processor's `ProtoBuilderResult` and of its `RepeatedBuilderResult`, whose values take 8 bytes each. */
const RESULT = { repeated: 3 } as const;
const REPEATED = { integers: 1, doubles: 2 } as const;

/** The reals of a column of bytes that the SQL function `RepeatedField` made, of all rows. */
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

/** The reals that the SQL function `RepeatedField` gathered in a blob. Throws a {@link WireError} if it is none of reals. */
function readReals(blob: Uint8Array): Float64Array {
  const bytes = readValues(blob, REPEATED.doubles);
  return new Float64Array(bytes.buffer, 0, bytes.length / 8);
}

/** The integers that `RepeatedField` gathered in a blob, as pairs: the lower half of each, then the upper one. */
function readHalves(blob: Uint8Array): Int32Array {
  const bytes = readValues(blob, REPEATED.integers);
  return new Int32Array(bytes.buffer, 0, bytes.length / 4);
}

/** A copy of the values, since these must lie at a multiple of their size. */
function readValues(blob: Uint8Array, field: number): Uint8Array<ArrayBuffer> {
  const result = new WireReader(blob);
  while (!result.done) {
    const tag = result.tag();
    if (tag !== RESULT.repeated * 8 + WIRE.bytes) {
      result.skip(tag);
      continue;
    }
    const repeated = result.message();
    while (!repeated.done) {
      const tag = repeated.tag();
      if (tag !== field * 8 + WIRE.bytes)
        throw new WireError('a repeated field holds values of another type');
      const bytes = repeated.bytes();
      if (bytes.length % 8 !== 0) throw new WireError('a repeated field ends inside a value');
      return bytes.slice();
    }
  }
  return new Uint8Array(0);
}
