import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { Cell } from '../../../shared/engine/index.ts';
import { Turns } from '../result-table/order.ts';
import type { ResultCells } from '../result-table/result-table.ts';
import { saveRows, type SavedFormat } from './save.ts';

const ROWS: readonly (readonly Cell[])[] = [
  ['svchost.exe', 200, 0.5, new Uint8Array([1, 255]), 1],
  ['a "b", c', 10n ** 17n, 2, null, 'two'],
  [null, null, null, null, null],
];
const result: ResultCells = {
  columns: ['process', 'dur', 'share', 'bytes', 'dur'],
  rowCount: ROWS.length,
  cell: (row: number, column: number) => ROWS[row]?.[column] ?? null,
};

function save(format: SavedFormat, rows: ResultCells, order: Uint32Array | null = null): Promise<Blob> {
  return saveRows(format, rows, order, new Turns(new AbortController().signal));
}

test('CSV and JSON hold the rows in the order asked for; JSON names each column once', async () => {
  expect(await (await save('csv', result, Uint32Array.of(1, 0))).text()).toBe(
    'process,dur,share,bytes,dur\r\n"a ""b"", c",100000000000000000,2,,two\r\nsvchost.exe,200,0.5,01ff,1\r\n',
  );
  expect(JSON.parse(await (await save('json', result, Uint32Array.of(2, 0))).text())).toEqual([
    { process: null, dur: null, share: null, bytes: null, dur_2: null },
    { process: 'svchost.exe', dur: 200, share: 0.5, bytes: '01ff', dur_2: 1 },
  ]);
});

test('Parquet keeps kinds, null and integers beyond 2^53; of equal names each gets its own', async () => {
  const file = await (await save('parquet', result, Uint32Array.of(1, 0, 2))).arrayBuffer();
  expect(await parquetReadObjects({ file, utf8: false })).toEqual([
    { process: 'a "b", c', dur: 10n ** 17n, share: 2, bytes: null, dur_2: 'two' },
    { process: 'svchost.exe', dur: 200n, share: 0.5, bytes: new Uint8Array([1, 255]), dur_2: '1' },
    { process: null, dur: null, share: null, bytes: null, dur_2: null },
  ]);
});

test('Parquet of more rows than one group, and of none', async () => {
  const rowCount = 25_000;
  const many = { columns: ['n'], rowCount, cell: (row: number) => row };
  const file = await (await save('parquet', many)).arrayBuffer();
  expect(parquetMetadata(file).row_groups.map(({ num_rows }) => num_rows)).toEqual([10_000n, 10_000n, 5000n]);
  const rows = await parquetReadObjects({ file });
  expect(rows).toEqual(Array.from({ length: rowCount }, (_, n) => ({ n: BigInt(n) })));
  const none = await (await save('parquet', { ...many, rowCount: 0 })).arrayBuffer();
  expect(await parquetReadObjects({ file: none })).toEqual([]);
});
