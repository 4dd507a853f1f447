import { expect, test } from 'vitest';
import { openArrowTable } from './arrow-table.ts';
import { memorySource } from './byte-source.ts';
import { arrowFile } from './testing/arrow-files.ts';
import { withShapes } from './with-shapes.ts';

const tableOf = (name: string, file: Parameters<typeof arrowFile>[0]) =>
  openArrowTable(memorySource(name, arrowFile(file)));
const shapes = tableOf('etw_event_shape.arrow', {
  columns: {
    ...{
      kind: 'utf8',
      event_id: 'uint16',
      version: 'uint8',
      opcode: 'uint8',
      task: 'uint16',
      level: 'uint8',
    },
    ...{ keywords: 'int64', header: 'utf8', fields: 'utf8' },
  },
  rows: [
    ['FileIo/Read', 0x443, 3, 67, 0, 0, 0n, null, '{"Irp":"0xffff\u0001","Size":\u0001}'],
    ['A/b/c', 7, 0, 1, 2, 4, -2n, '{"ActivityId":"\u0001"}', '{"é":[\u0001,true]}'],
  ],
});
const events = tableOf('etw_generic_event.arrow', {
  columns: { ts: 'int64', cpu: 'uint16', utid: 'uint32', shape: 'uint32', values: 'utf8' },
  batchRows: 2,
  rows: [
    [1n, 0, 5, 0, 'a0\u00014096'],
    [2n, null, null, 1, '{1}\u0001-3'],
    [9n, 1, 5, 0, '\u00010'],
  ],
});
const table = withShapes(events, shapes);

function cellsOf(name: string): unknown[] {
  const reader = table.openColumn(table.columns.findIndex((column) => column.name === name));
  return table.batches.flatMap(({ rowCount }, batch) => {
    const loaded = reader.load(batch, 0, rowCount);
    return Array.from({ length: rowCount }, (_, row) => {
      if (loaded.present?.[row] === 0) return null;
      if (loaded.kind !== 'text') return loaded.values[loaded.values.length === rowCount ? row : 2 * row];
      const start = loaded.start[row] ?? 0;
      return new TextDecoder().decode(loaded.bytes.subarray(start, start + (loaded.length[row] ?? 0)));
    });
  });
}

test('events have what their shapes have in common, with their values in place', () => {
  expect(Object.fromEntries(table.columns.map(({ name }) => [name, cellsOf(name)]))).toEqual({
    ts: [1, 2, 9],
    cpu: [0, null, 1],
    utid: [5, null, 5],
    provider: ['FileIo', 'A', 'FileIo'],
    event_id: [0x443, 7, 0x443],
    version: [3, 0, 3],
    opcode: [67, 1, 67],
    task: [0, 2, 0],
    level: [0, 4, 0],
    keywords: [0, 2 ** 32 - 2, 0],
    name: ['Read', 'b/c', 'Read'],
    fields: ['{"Irp":"0xffffa0","Size":4096}', '{"é":[-3,true]}', '{"Irp":"0xffff","Size":0}'],
    activity_id: [null, '{1}', null],
    related_activity_id: [null, null, null],
    header: [null, '{"ActivityId":"{1}"}', null],
    id: [0, 1, 2],
    kind: ['FileIo/Read', 'A/b/c', 'FileIo/Read'],
  });
  expect(table.key).toBe('id');
});

test('texts are reckoned to be as long as they are at least', () => {
  for (const name of ['fields', 'header', 'activity_id', 'kind']) {
    const reader = table.openColumn(table.columns.findIndex((column) => column.name === name));
    const sums = new Float64Array(2);
    reader.addLengths(0, sums);
    const lengths = cellsOf(name).map(
      (text) => new TextEncoder().encode(typeof text === 'string' ? text : '').length,
    );
    expect([...sums].every((sum, row) => sum >= (lengths[row] ?? 0))).toBe(true);
  }
});
