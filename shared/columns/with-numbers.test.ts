import { expect, test } from 'vitest';
import { openArrowTable } from './arrow-table.ts';
import { memorySource } from './byte-source.ts';
import { arrowFile } from './testing/arrow-files.ts';
import { withNumbers } from './with-numbers.ts';

test('rows have their numbers as their key, over batches', () => {
  const file = arrowFile({ columns: { frame: 'int32' }, batchRows: 2, rows: [[7], [5], [9]] });
  const table = withNumbers(openArrowTable(memorySource('callsite.arrow', file)), 'callsite');
  expect([table.key, table.columns.map(({ name }) => name)]).toEqual(['callsite', ['callsite', 'frame']]);
  expect(table.openColumn(0).load(0, 1, 2)).toMatchObject({ values: new Uint32Array([1, 0]) });
  expect(table.openColumn(0).load(1, 0, 1)).toMatchObject({ values: new Uint32Array([2, 0]) });
  expect(table.openColumn(1).load(1, 0, 1)).toMatchObject({ values: new Uint32Array([9]) });
});
