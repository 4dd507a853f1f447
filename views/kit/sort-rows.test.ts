import { expect, test } from 'vitest';
import { sortRows } from './sort-rows.ts';

const table = {
  title: 'Waits',
  columns: [
    { name: 'thread', title: 'Thread', help: '', kind: 'text' },
    { name: 'ready_ns', title: 'Ready', help: '', kind: 'duration_ns' },
  ],
  rows: [
    ['svchost 10', 30],
    ['svchost 9', null],
    ['Explorer', 30],
    ['csrss', 2n ** 60n],
  ],
} as const;

test('rows keep their order where none is asked for', () => {
  expect(sortRows(table, null)).toEqual([0, 1, 2, 3]);
});

test('text sorts by its numbers too, whatever the case', () => {
  expect(sortRows(table, { column: 0, descending: false })).toEqual([3, 2, 1, 0]);
});

test('unknown values come last either way; equal ones keep their order', () => {
  expect(sortRows(table, { column: 1, descending: true })).toEqual([3, 0, 2, 1]);
  expect(sortRows(table, { column: 1, descending: false })).toEqual([0, 2, 3, 1]);
});
