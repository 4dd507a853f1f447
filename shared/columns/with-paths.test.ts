import { expect, test } from 'vitest';
import { openArrowTable } from './arrow-table.ts';
import { memorySource } from './byte-source.ts';
import { arrowFile } from './testing/arrow-files.ts';
import { readPaths, withPaths } from './with-paths.ts';

const tableOf = (name: string, file: Parameters<typeof arrowFile>[0]) =>
  openArrowTable(memorySource(name, arrowFile(file)));
const files = tableOf('etw_file.arrow', {
  columns: { file: 'uint32', path: 'utf8' },
  rows: [
    [2, 'C:\\b'],
    [0, 'é'],
  ],
});

test('the path of a file stands in the place of its key, over batches', () => {
  const requests = tableOf('etw_disk_io.arrow', {
    columns: { ts: 'int64', file: 'uint32' },
    batchRows: 3,
    rows: [
      [1n, 0],
      [2n, 1],
      [3n, null],
      [4n, 2],
      [5n, 7],
    ],
  });
  const table = withPaths(requests, readPaths(files));
  expect(table.columns.map(({ name, type }) => [name, type.kind])).toEqual([
    ['ts', 'int'],
    ['path', 'text'],
  ]);
  const reader = table.openColumn(1);
  const texts = table.batches.flatMap(({ rowCount }, batch) => {
    const loaded = reader.load(batch, 0, rowCount);
    if (loaded.kind !== 'text') throw new Error('no texts');
    return Array.from(loaded.length, (length, row) =>
      loaded.present?.[row] === 0
        ? null
        : new TextDecoder().decode(
            loaded.bytes.subarray(loaded.start[row], (loaded.start[row] ?? 0) + length),
          ),
    );
  });
  expect(texts).toEqual(['é', null, null, 'C:\\b', null]);
  const sums = new Float64Array(3);
  reader.addLengths(0, sums);
  expect([...sums]).toEqual([2, 0, 0]);
});

test('a table without keys of files stays as it is', () => {
  const table = tableOf('etw_cpu.arrow', { columns: { cpu: 'uint16' }, rows: [[0]] });
  expect(withPaths(table, readPaths(files))).toBe(table);
});
