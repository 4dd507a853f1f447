import { fillExactly, lastAtMost, type ArrowTable, type ByteSource, type Region } from '../columns/index.ts';
import { doublesOf } from './int64.ts';
import type { Stretch } from './tables.ts';

/** Rows of a batch that follow one another: `to` is outside, `from` a multiple of 8, so that their bits begin with a byte. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** All rows of a batch. */
export function allRows(table: ArrowTable, batch: number): RowRange {
  return { from: 0, to: table.batches[batch]?.rowCount ?? 0 };
}

/**
 * The rows of a batch that a stretch of time touches, those between them, and some beside them; all rows of a table without `ts` and `te`. Rows are
 * in the order of their ends.
 */
export function touchedRows(
  source: ByteSource,
  table: ArrowTable,
  batch: number,
  { start, end }: Stretch,
): RowRange {
  const all = allRows(table, batch);
  const [starts, ends] = [timesOf(table, batch, 'ts'), timesOf(table, batch, 'te')];
  if (starts === null || ends === null) return all;
  const least = keptLeast.get(starts) ?? leastOfBlocks(readBytes(source, starts.at, 8 * all.to));
  keptLeast.set(starts, least);
  let blocks = least.length;
  while (blocks > 0 && (least[blocks - 1] ?? 0) >= end) blocks--;
  const to = Math.min(all.to, blocks * BLOCK);
  const endAt = (row: number) => doublesOf(readBytes(source, ends.at + 8 * row, 8), 0, 1)[0] ?? 0;
  const before = lastAtMost(to, endAt, start);
  return { from: before - (before % 8), to };
}

/** So many rows are looked at as one. */
const BLOCK = 256;

/** By where the beginnings of a batch lie in its file: of each block the least; many stretches are asked for one after the other. */
const keptLeast = new WeakMap<Region, Float64Array>();

/** Numbers of 64 bits are compared as they are: to make doubles of all takes longer. */
function leastOfBlocks(starts: ArrayBuffer): Float64Array {
  const [low, high] = [new Uint32Array(starts), new Int32Array(starts)];
  const least = new Float64Array(Math.ceil(starts.byteLength / (8 * BLOCK)));
  for (let block = 0; block < least.length; block++) {
    const end = Math.min(low.length, 2 * BLOCK * (block + 1));
    let ns = Infinity;
    for (let at = 2 * BLOCK * block; at < end; at += 2)
      ns = Math.min(ns, (high[at + 1] ?? 0) * 2 ** 32 + (low[at] ?? 0));
    least[block] = ns;
  }
  return least;
}

function readBytes(source: ByteSource, at: number, count: number): ArrayBuffer {
  const bytes = new Uint8Array(count);
  fillExactly(source, at, bytes);
  return bytes.buffer;
}

/** Where the times of a batch in a column of Int64 lie; null where there is no such column. */
function timesOf(table: ArrowTable, batch: number, name: string): Region | null {
  const column = table.columns.findIndex((each) => each.name === name);
  const type = table.columns[column]?.type;
  return type?.kind === 'int' && type.bytes === 8 ? table.regionsOf(batch, column).values : null;
}
