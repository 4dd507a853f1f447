import { expect, test } from 'vitest';
import type { Cell } from '../../shared/engine/index.ts';
import type { ViewColumn, ViewTable } from '../../shared/view/index.ts';
import { joinTables } from './second-table.ts';

/** A table of columns such as `name:text`. */
function table(columns: string, ...rows: readonly (readonly Cell[])[]): ViewTable {
  return {
    title: 'Table',
    columns: columns.split(' ').map((each) => {
      const [name = '', kind = 'text'] = each.split(':');
      return { name, title: name, help: '', kind: kind as ViewColumn['kind'] };
    }),
    rows,
  };
}

test('rows are known by their names, not by ids; those of B alone come last', () => {
  const joined = joinTables(
    table('process pid ran_ns:duration_ns share:share', ['a.exe', '4', 10, 0.5], ['b.exe', '8', 5, 0.25]),
    table('process pid ran_ns:duration_ns share:share', ['c.exe', '7', 1, 0.1], ['A.exe', '9', 30, 0.75]),
  );
  expect(joined?.columns.map(({ title }) => title)).toEqual([
    ...['process', 'pid', 'ran_ns', 'B: ran_ns', 'B − A', 'share', 'B: share'],
  ]);
  expect(joined?.rows).toEqual([
    ['a.exe', '4', 10, 30, 20, 0.5, 0.75],
    ['b.exe', '8', 5, null, null, 0.25, null],
    ['c.exe', '7', null, 1, null, null, 0.1],
  ]);
});

test('threads that are called alike are taken in their order', () => {
  const joined = joinTables(
    table('thread ran_ns:duration_ns', ['a.exe (tid 1, Worker)', 9], ['a.exe (tid 2, Worker)', 8]),
    table('thread ran_ns:duration_ns', ['a.exe (tid 5, Worker)', 7], ['a.exe (tid 6, Worker)', 6]),
  );
  expect(joined?.rows).toEqual([
    ['a.exe (tid 1, Worker)', 9, 7, -2],
    ['a.exe (tid 2, Worker)', 8, 6, -2],
  ]);
});

test('where one column does not tell rows apart, the next does too', () => {
  const joined = joinTables(
    table('disk kind count:count', ['0', 'read', 3], ['0', 'write', 4]),
    table('disk kind count:count', ['0', 'write', 1]),
  );
  expect(joined?.rows).toEqual([
    ['0', 'read', 3, null, null],
    ['0', 'write', 4, 1, -3],
  ]);
});

test('numbers tell rows of a histogram or a rank apart, and a single row needs no name', () => {
  const ranks = 'rank:count priority:count ran_ns:duration_ns';
  expect(joinTables(table(ranks, [0, 8, 5]), table(ranks, [0, 9, 4], [0, 8, 7]))?.rows).toEqual([
    [0, 8, 5, 7, 2],
    [0, 9, null, 4, null],
  ]);
  expect(joinTables(table('p50_ns:duration_ns', [5]), table('p50_ns:duration_ns', [6]))?.rows).toEqual([
    [5, 6, 1],
  ]);
});

test('names and values have the value of B next to them', () => {
  expect(joinTables(table('fact value', ['CPUs', '4']), table('fact value', ['CPUs', '8']))?.rows).toEqual([
    ['CPUs', '4', '8'],
  ]);
});

test('moments, and rows that all differ, are not joined', () => {
  const waits = table('process ts:time_ns dur:duration_ns', ['a.exe', 1, 2]);
  expect(joinTables(waits, waits)).toBeNull();
  const longest = table('process ns:duration_ns longest_ts:time_ns', ['a.exe', 5, 1]);
  expect(joinTables(longest, longest)?.rows).toEqual([['a.exe', 5, 5, 0, 1]]);
  const other = table('process ns:duration_ns longest_ts:time_ns', ['b.exe', 5, 1]);
  expect(joinTables(longest, other)).toBeNull();
});

test('rows of processes that are tied by hand are the same; a row of B alone keeps its own name', () => {
  const inA = (name: string) => name.replace('new.exe', 'old.exe');
  const columns = 'thread ran_ns:duration_ns';
  const joined = joinTables(
    table(columns, ['old.exe (tid 1, Worker)', 9]),
    table(columns, ['new.exe (tid 5, Worker)', 7], ['new.exe (tid 6, Timer)', 6]),
    inA,
  );
  expect(joined?.rows).toEqual([
    ['old.exe (tid 1, Worker)', 9, 7, -2],
    ['new.exe (tid 6, Timer)', null, 6, null],
  ]);
});
