import type { Values } from './tables.ts';

/** So many numbers of 64 bits as doubles, exact up to 2^53, in their own place: they take no other memory. `at` is a multiple of 8. */
export function doublesOf(buffer: ArrayBufferLike, at: number, count: number): Float64Array {
  const low = new Uint32Array(buffer, at, 2 * count);
  const high = new Int32Array(buffer, at, 2 * count);
  const doubles = new Float64Array(buffer, at, count);
  for (let index = 0; index < count; index++)
    doubles[index] = (high[2 * index + 1] ?? 0) * 2 ** 32 + (low[2 * index] ?? 0);
  return doubles;
}

/** What gives the numbers of a column by row, also where they were not made doubles. */
export function doublesAt({ values, exact }: Values): (row: number) => number {
  if (exact === undefined || values.length > 0) return (row) => values[row] ?? 0;
  const low = new Uint32Array(exact.buffer, exact.byteOffset, 2 * exact.length);
  const high = new Int32Array(exact.buffer, exact.byteOffset, 2 * exact.length);
  return (row) => (high[2 * row + 1] ?? 0) * 2 ** 32 + (low[2 * row] ?? 0);
}
