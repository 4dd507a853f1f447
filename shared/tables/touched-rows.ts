import {
  BLOCK_ROWS,
  fillExactly,
  lastAtMost,
  type ArrowTable,
  type ByteSource,
  type Region,
} from '../columns/index.ts';
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

/** Where a stretch begins is looked for in steps of so many rows: to read some more takes less than each look. */
const STEP = 256;

/**
 * The rows of a batch that a stretch of time touches, those between them, and some beside them; all rows where the file does not say when they
 * begin. Rows are in the order of their ends.
 */
export function touchedRows(
  source: ByteSource,
  table: ArrowTable,
  batch: number,
  { start, end }: Stretch,
): RowRange {
  const { rowCount = 0, starts_ns = null } = table.batches[batch] ?? {};
  const [starts, ends] = [starts_ns, endsOf(table, batch)];
  if (starts === null || ends === null) return allRows(table, batch);
  let blocks = starts.length;
  while (blocks > 0 && (starts[blocks - 1] ?? 0) >= end) blocks--;
  const to = Math.min(rowCount, blocks * BLOCK_ROWS);
  const endAt = (step: number) => doublesOf(readBytes(source, ends.at + 8 * STEP * step, 8), 0, 1)[0] ?? 0;
  return { from: STEP * lastAtMost(Math.ceil(to / STEP), endAt, start), to };
}

function readBytes(source: ByteSource, at: number, count: number): ArrayBuffer {
  const bytes = new Uint8Array(count);
  fillExactly(source, at, bytes);
  return bytes.buffer;
}

/** Where the ends of a batch's rows lie; null where there is no column of Int64 with them. */
function endsOf(table: ArrowTable, batch: number): Region | null {
  const column = table.columns.findIndex(({ name }) => name === 'te');
  const type = table.columns[column]?.type;
  return type?.kind === 'int' && type.bytes === 8 ? table.regionsOf(batch, column).values : null;
}
