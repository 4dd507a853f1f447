import { expect, test } from 'vitest';
import { arrowTables } from './arrow-tables.ts';
import { doublesAt } from './int64.ts';
import type { TableInfo } from './table-info.ts';
import type { ReadHow } from './tables.ts';

const ROWS = 4;
const BATCHES = 8;
const COLUMN_BYTES = 8 * ROWS;

const info: TableInfo = {
  name: 'etw_run',
  columns: ['cpu', 'rank', 'priority'].map((name) => ({ name, form: { kind: 'float' } })),
  batches: Array.from({ length: BATCHES }, () => ({ rowCount: ROWS, times: null })),
};

/** Values that tell where they come from: those of batch 3, column 1 are 3100 to 3103. */
const valuesOf = (batch: number, column: number) =>
  Array.from({ length: ROWS }, (_, row) => 1000 * batch + 100 * column + row);

/** Columns of a batch, packed as `packBatch` does: how many rows, three lengths for each, then values alone. */
function packed(batch: number, columns: readonly number[]): Uint8Array {
  const headBytes = Math.ceil((1 + columns.length * 3) / 2) * 8;
  const bytes = new Uint8Array(headBytes + columns.length * COLUMN_BYTES);
  const head = new Uint32Array(bytes.buffer);
  head[0] = ROWS;
  columns.forEach((column, at) => {
    head[3 * at + 2] = COLUMN_BYTES;
    new Float64Array(bytes.buffer, headBytes + at * COLUMN_BYTES, ROWS).set(valuesOf(batch, column));
  });
  return bytes;
}

type Name = 'cpu' | 'rank' | 'priority';

/** Tables where columns of so many bytes are kept; what was read for them; and all rows of columns, batch by batch. */
function tablesThatKeep(keptBytes: number, untilRead: (columns: readonly number[]) => Promise<void>) {
  const reads: (readonly [batch: number, ...columns: number[]])[] = [];
  const read = async (_: string, batch: number, columns: readonly number[]) => {
    reads.push([batch, ...columns]);
    await untilRead(columns);
    return packed(batch, columns);
  };
  const tables = arrowTables([info], read, keptBytes);
  const rows = async (names: readonly Name[], how?: ReadHow) => {
    const found: number[][][] = [];
    for await (const { columns } of tables.batches('etw_run', names, undefined, how))
      found.push(names.map((name) => Array.from(columns[name].values)));
    return found;
  };
  const cpu = () => tables.batches('etw_run', ['cpu'])[Symbol.asyncIterator]();
  return { reads, rows, cpu };
}

/** Replies of a host come later than what was asked after them. */
const soon = () => Promise.resolve();

const both = Array.from({ length: BATCHES }, (_, batch) => [valuesOf(batch, 0), valuesOf(batch, 1)]);
const ONE = BATCHES * COLUMN_BYTES;

test('a column that is let go while others of its batch are read is given all the same', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { rows } = tablesThatKeep(ONE, (columns) => (columns.includes(1) ? held : soon()));
  await rows(['cpu']);
  const found = rows(['cpu', 'rank']);
  await rows(['priority']);
  release();
  expect(await found).toEqual(both);
});

test('what two readers read at the same time is kept once, and not read again', async () => {
  const { rows, reads } = tablesThatKeep(2 * ONE, soon);
  await Promise.all([rows(['cpu', 'rank']), rows(['cpu', 'rank'])]);
  reads.length = 0;
  expect(await rows(['cpu', 'rank'])).toEqual(both);
  expect(reads).toEqual([]);
});

test('what is more than can be kept pushes out nothing', async () => {
  const { rows, reads } = tablesThatKeep(ONE, soon);
  await rows(['cpu']);
  await rows(['rank', 'priority']);
  reads.length = 0;
  await rows(['cpu']);
  expect(reads).toEqual([]);
});

test('columns that were read at once count until the last of them is let go', async () => {
  const { rows, reads } = tablesThatKeep(2 * ONE, soon);
  await rows(['cpu', 'rank']);
  await rows(['cpu']);
  await rows(['priority']);
  reads.length = 0;
  await rows(['cpu'], 'once');
  // Each of four batches of both made room for two of the third.
  expect(reads).toEqual([0, 1, 2, 3].map((batch) => [batch, 0]));
});

test('backwards the last batch comes first, its rows in the order of the file', async () => {
  const { rows } = tablesThatKeep(ONE, soon);
  expect(await rows(['cpu', 'rank'], 'backwards')).toEqual([...both].reverse());
});

test('where few rows are looked at, times of more than is kept stay as they are', async () => {
  const table: TableInfo = {
    name: 'etw_run',
    columns: [{ name: 'ts', form: { kind: 'int', bytes: 8, signed: true } }],
    batches: [{ rowCount: ROWS, times: null }],
  };
  const times = [5, -1, 2 ** 40 + 7, -(2 ** 35)];
  const read = () => {
    const bytes = packed(0, [0]);
    new BigInt64Array(bytes.buffer, bytes.length - COLUMN_BYTES).set(times.map(BigInt));
    return Promise.resolve(bytes);
  };
  for (const [keptBytes, made] of [
    [COLUMN_BYTES, ROWS],
    [COLUMN_BYTES - 1, 0],
  ] as const)
    for await (const { columns } of arrowTables([table], read, keptBytes).batches(
      'etw_run',
      ['ts'],
      undefined,
      'few',
    )) {
      expect(columns.ts.values.length).toBe(made);
      expect(times.map((_, row) => doublesAt(columns.ts)(row))).toEqual(times);
    }
});

test('batches are read ahead of who goes on after the first', async () => {
  const { reads, cpu } = tablesThatKeep(ONE, soon);
  const batches = cpu();
  const read: number[] = [];
  for (let next = 0; next < 4; next++) {
    await batches.next();
    read.push(reads.length);
  }
  expect(read).toEqual([1, 4, 7, 8]);
});
