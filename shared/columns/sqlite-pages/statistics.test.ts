import { expect, test } from 'vitest';
import type { ColumnTable } from '../column-table.ts';
import { statisticsOf, type PlannedIndex } from './statistics.ts';

/** The statistics that the planner gets for a table of a million rows with columns of integers. */
function told(names: readonly string[], indexes: readonly Omit<PlannedIndex, 'name'>[], threads?: number) {
  const type = { kind: 'int', bytes: 4, signed: false } as const;
  const columns = names.map((name) => ({ name, type, nullable: false, dictionary: null }));
  const table = { file: 't', rowCount: 1_000_000, batches: [], columns, key: null } as unknown as ColumnTable;
  const named = indexes.map((index) => ({ ...index, name: `by_${index.column}` }));
  return statisticsOf('t', table, named, threads === undefined ? {} : { utid: threads });
}

test('rows of few length, ranges that cost more than rows, and a count that costs less', () => {
  const indexes = [
    { column: 'ts', finds: 'range' },
    { column: '0', finds: 'count' },
  ] as const;
  expect(told(['ts'], indexes)).toEqual([
    ['t', null, '1000000 sz=4'],
    ['t', 'by_ts', '1000000 1 sz=123'],
    ['t', 'by_0', '1000000 1000000 sz=0'],
  ]);
});

test.each([
  // The rows of one thread cost less than all rows, which cost 3 each; those of all threads more than a look at each row's thread.
  [2000, '1000000 500 unordered sz=63496'],
  [100, '1000000 10000 unordered sz=1920'],
  // A thread has few rows: each is looked up.
  [500_000, '1000000 2 unordered'],
  [undefined, '1000000 1000 unordered'],
])('rows by thread, of %s threads', (threads, stat) => {
  expect(told(['utid'], [{ column: 'utid', finds: 'value' }], threads)).toEqual([
    ['t', null, '1000000 sz=4'],
    ['t', 'by_utid', stat],
  ]);
});
