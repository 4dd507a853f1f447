import { expect, test } from 'vitest';
import { arrowTables } from './arrow-tables.ts';
import type { TableInfo } from './table-info.ts';

const ROWS = 4;
const BATCHES = 8;
const COLUMN_BYTES = 8 * ROWS;

const info: TableInfo = {
  name: 'etw_run',
  columns: ['cpu', 'rank'].map((name) => ({ name, form: { kind: 'float' } })),
  batches: Array.from({ length: BATCHES }, () => ({ rowCount: ROWS, times: null })),
};

/** Values that tell where they come from: those of batch 3, column 1 are 3100 to 3103. */
const valuesOf = (batch: number, column: number) =>
  Array.from({ length: ROWS }, (_, row) => 1000 * batch + 100 * column + row);

/** Columns of a batch, packed as `packBatch` does: three lengths for each, then values alone. */
function packed(batch: number, columns: readonly number[]): Uint8Array {
  const headBytes = Math.ceil((columns.length * 12) / 8) * 8;
  const bytes = new Uint8Array(headBytes + columns.length * COLUMN_BYTES);
  columns.forEach((column, at) => {
    new Uint32Array(bytes.buffer)[3 * at + 1] = COLUMN_BYTES;
    new Float64Array(bytes.buffer, headBytes + at * COLUMN_BYTES, ROWS).set(valuesOf(batch, column));
  });
  return bytes;
}

/** All rows of both columns, batch by batch, where columns of so many bytes are kept; and what was read for them. */
function tablesThatKeep(keptBytes: number) {
  const reads: (readonly number[])[] = [];
  const read = async (_: string, batch: number, columns: readonly number[]) => {
    reads.push(columns);
    // Replies of a host come later than what was asked after them.
    await Promise.resolve();
    return packed(batch, columns);
  };
  const tables = arrowTables([info], read, keptBytes);
  const rows = async (names: readonly ('cpu' | 'rank')[]) => {
    const found: number[][][] = [];
    for await (const { columns } of tables.batches('etw_run', names))
      found.push(names.map((name) => Array.from(columns[name].values)));
    return found;
  };
  return { reads, rows };
}

const both = Array.from({ length: BATCHES }, (_, batch) => [valuesOf(batch, 0), valuesOf(batch, 1)]);

test('a column that is let go while others of its batch are read is given all the same', async () => {
  const { rows } = tablesThatKeep(BATCHES * COLUMN_BYTES);
  await rows(['cpu']);
  expect(await rows(['cpu', 'rank'])).toEqual(both);
});

test('what two readers read at the same time is kept once, and not read again', async () => {
  const { rows, reads } = tablesThatKeep(2 * BATCHES * COLUMN_BYTES);
  await Promise.all([rows(['cpu', 'rank']), rows(['cpu', 'rank'])]);
  reads.length = 0;
  expect(await rows(['cpu', 'rank'])).toEqual(both);
  expect(reads).toEqual([]);
});
