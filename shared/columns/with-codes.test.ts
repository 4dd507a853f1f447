import { expect, test } from 'vitest';
import { openArrowTable } from './arrow-table.ts';
import { memorySource } from './byte-source.ts';
import { arrowFile } from './testing/arrow-files.ts';
import { withCodes } from './with-codes.ts';

test('rows have the codes that are given once the table is there, over batches', () => {
  const file = arrowFile({ columns: { ts: 'int64' }, batchRows: 2, rows: [[7n], [8n], [9n]] });
  let codes = new Uint8Array();
  const table = withCodes(openArrowTable(memorySource('wait.arrow', file)), 'code', () => codes);
  expect(table.columns.map(({ name }) => name)).toEqual(['ts', 'code']);
  const reader = table.openColumn(1);
  codes = Uint8Array.of(3, 0, 255);
  expect(reader.load(0, 1, 2)).toMatchObject({ present: null, values: Uint8Array.of(0) });
  expect(reader.load(1, 0, 1)).toMatchObject({ present: null, values: Uint8Array.of(255) });
  expect(table.openColumn(0).load(1, 0, 1)).toMatchObject({ values: new Uint32Array([9, 0]) });
});
