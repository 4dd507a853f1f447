import {
  Int64,
  tableFromArrays,
  tableToIPC,
  vectorFromArray,
  Timestamp,
  TimeUnit,
  Table,
} from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENDS_METADATA, openArrowTable, STARTS_METADATA, TIMES_METADATA } from './arrow-table.ts';
import { memorySource } from './byte-source.ts';
import type { ColumnTable } from './column-table.ts';
import { ColumnsError } from './columns-error.ts';
import { arrowFile, type TestTable } from './testing/arrow-files.ts';

const WAITS: TestTable = {
  columns: { ts: 'int64', cpu: 'uint8', state: 'dictionary8', note: 'utf8', kept: 'bool', share: 'float64' },
  key: 'ts',
  batchRows: 2,
  rows: [
    [100n, 0, 'ready', 'ä', true, 0.5],
    [200n, null, null, null, null, NaN],
    [2n ** 40n, 255, 'waits', '', false, null],
  ],
  metadata: {
    [TIMES_METADATA]: '[["100","260"],["1099511627776","1099511627999"]]',
    [STARTS_METADATA]: '[[0],[0]]',
    [ENDS_METADATA]: '[[160],[9]]',
  },
};

const open = (bytes: Uint8Array) => openArrowTable(memorySource('waits.arrow', bytes));

/** Reads all of a table; what comes of it is not looked at. */
function readAll(table: ColumnTable): void {
  table.columns.forEach((column, number) => {
    const reader = table.openColumn(number);
    table.batches.forEach(({ rowCount }, batch) => {
      reader.load(batch, 0, rowCount);
      if (column.type.kind === 'text') reader.addLengths(batch, new Float64Array(rowCount));
    });
  });
}

test('a file names its columns, its batches with their times, and its key', () => {
  const table = open(arrowFile(WAITS));
  expect(table.columns.map(({ name, type, dictionary }) => [name, type, dictionary?.size ?? null])).toEqual([
    ['ts', { kind: 'int', bytes: 8, signed: true }, null],
    ['cpu', { kind: 'int', bytes: 1, signed: false }, null],
    ['state', { kind: 'text' }, 2],
    ['note', { kind: 'text' }, null],
    ['kept', { kind: 'bool' }, null],
    ['share', { kind: 'float' }, null],
  ]);
  expect([table.rowCount, table.key]).toEqual([3, 'ts']);
  expect(table.batches).toEqual([
    {
      firstRow: 0,
      rowCount: 2,
      starts_ns: [100],
      ends_ns: [260],
      times: { least_ns: 100, greatest_ns: 260 },
    },
    {
      firstRow: 2,
      rowCount: 1,
      starts_ns: [1099511627776],
      ends_ns: [1099511627785],
      times: { least_ns: 1099511627776, greatest_ns: 1099511627999 },
    },
  ]);
});

test('values are read as bits, and nulls as zeros', () => {
  const table = open(arrowFile(WAITS));
  const load = (column: number, batch: number, from: number, to: number) =>
    table.openColumn(column).load(batch, from, to);
  expect(load(0, 1, 0, 1)).toEqual({ kind: 'number', present: null, values: new Uint32Array([0, 256]) });
  expect(load(1, 0, 0, 2)).toMatchObject({ kind: 'number', present: new Uint8Array([1, 0]) });
  expect(load(4, 0, 0, 1)).toMatchObject({ kind: 'bool', present: null, values: new Uint8Array([1]) });
  expect(load(5, 0, 0, 2)).toMatchObject({ kind: 'number', present: new Uint8Array([1, 0]) });
  const note = load(3, 0, 0, 1);
  expect(note).toMatchObject({ kind: 'text', bytes: new TextEncoder().encode('ä'), codes: null });
});

test('rows of one column are read without the rest of the file', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [BigInt(i), `text ${i}`]);
  const bytes = arrowFile({ columns: { ts: 'int64', text: 'utf8' }, rows, batchRows: 65_536 });
  let readBytes = 0;
  const table = openArrowTable({
    ...memorySource('large.arrow', bytes),
    read(into, at) {
      readBytes += into.length;
      return memorySource('', bytes).read(into, at);
    },
  });
  expect(readBytes).toBeLessThan(5000);
  readBytes = 0;
  table.openColumn(0).load(2, 1000, 1010);
  expect(readBytes).toBe(80);
});

test.each([
  ['no file', new Uint8Array(0), 'waits.arrow: at byte 0: expected an Arrow file, but it has 0 bytes'],
  [
    'a letter',
    new TextEncoder().encode('Dear reader, this is a letter.'),
    'waits.arrow: at byte 0: expected an Arrow file, which starts with ARROW1',
  ],
  [
    'half a file',
    arrowFile(WAITS).subarray(0, 1000),
    'waits.arrow: at byte 994: expected the end of an Arrow file, ARROW1: it was cut',
  ],
  [
    'times of another number of batches',
    arrowFile({ ...WAITS, batchRows: 3 }),
    'expected outrank.batches to be a JSON array of 1 pairs of times',
  ],
  [
    'beginnings of fewer rows than there are',
    arrowFile({ ...WAITS, metadata: { ...WAITS.metadata, [STARTS_METADATA]: '[[]]' } }),
    'expected outrank.starts to be a JSON array of 2 lists of times, one for 1024 rows',
  ],
  [
    'a key of texts',
    arrowFile({ ...WAITS, key: 'note' }),
    'expected a column of Int64 named "note", since it is the key',
  ],
])('%s is refused with the place and what was expected', (_, bytes, message) => {
  expect(() => open(bytes)).toThrow(message);
});

test('a column of a type that is not read here is named', () => {
  const at = vectorFromArray([1, 2], new Timestamp(TimeUnit.NANOSECOND, null));
  const bytes = tableToIPC(new Table({ ts: vectorFromArray([1n, 2n], new Int64()), at }), 'file');
  expect(() => open(bytes)).toThrow(/expected column "at" to be of Int, .* not Timestamp$/);
  const lists = tableToIPC(tableFromArrays({ list: [[1], [2]] as never }), 'file');
  expect(() => open(lists)).toThrow(/expected column "list" to be of Int, .* not /);
});

test('a damaged file is refused in words or read as it is, whatever bytes are wrong and wherever it is cut', () => {
  const bytes = arrowFile(WAITS);
  const byte = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xff));
  const damage = fc.record({ changes: fc.array(byte, { minLength: 1, maxLength: 4 }), cut: fc.nat(40) });
  fc.assert(
    fc.property(damage, ({ changes, cut }) => {
      const damaged = bytes.slice(cut > 20 ? 0 : cut, cut > 20 ? bytes.length - cut + 20 : undefined);
      for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value;
      try {
        readAll(open(damaged));
      } catch (error) {
        expect(error).toBeInstanceOf(ColumnsError);
      }
    }),
    { numRuns: 5000 },
  );
});
