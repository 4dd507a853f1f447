// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import type { Cell } from '../../../shared/engine/index.ts';
import { parseFilter } from './filter.ts';
import { compareCells, sortRows, Turns } from './order.ts';
import { drawResultTable, type ResultCells } from './result-table.ts';

const COLUMNS = ['process', 'dur'];
const ROWS: readonly (readonly Cell[])[] = [
  ['svchost.exe', 200],
  ['<img src=x onerror=alert(1)>', 3000],
  ['LockApp.exe', null],
  [null, 10n ** 17n],
];
const result: ResultCells = {
  columns: COLUMNS,
  rowCount: ROWS.length,
  cell: (row: number, column: number) => ROWS[row]?.[column] ?? null,
};

afterEach(() => document.body.replaceChildren());

/** Draws the result, and gives what a reader of it sees and does. */
function draw() {
  const followed: unknown[] = [];
  const orders: unknown[] = [];
  const table = drawResultTable(document.body, result, {
    label: 'Rows',
    linkOf: (column) => (column === 'dur' ? 'Zoom to it' : null),
    onCell: (row, column) => followed.push([row, column]),
    onOrder: (state) => orders.push(state),
  });
  const grid = document.body.lastElementChild as HTMLElement;
  const rows = () =>
    [...grid.querySelectorAll<HTMLElement>('.row:not([hidden])')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
  return { table, grid, rows, followed, orders };
}

test('cells are shown as they are; text of the trace never becomes markup', () => {
  const { grid, rows } = draw();
  expect(rows()).toEqual([
    ['svchost.exe', '200'],
    ['<img src=x onerror=alert(1)>', '3000'],
    ['LockApp.exe', 'null'],
    ['null', '100000000000000000'],
  ]);
  expect(grid.querySelector('img')).toBeNull();
});

test('a heading sorts, a text over a column filters, and the order can be asked for', async () => {
  const { grid, rows, table, orders } = draw();
  grid.querySelectorAll<HTMLElement>('.heading button')[1]?.click();
  await vi.waitFor(() => expect([...(table.order() ?? [])]).toEqual([3, 1, 0, 2]));
  const input = grid.querySelectorAll<HTMLInputElement>('.result-filter')[1];
  if (input === undefined) throw new Error('the column has no filter');
  input.value = '< 5000';
  input.dispatchEvent(new Event('input'));
  await vi.waitFor(() => expect([...(table.order() ?? [])]).toEqual([1, 0]));
  expect(rows().map(([, dur]) => dur)).toEqual(['3000', '200']);
  expect(orders.at(-1)).toEqual({ busy: false, shown: 2 });
});

test('a click on a cell with a link follows it; on others, and on null, nothing', () => {
  const { grid, followed } = draw();
  for (const cell of grid.querySelectorAll<HTMLElement>('[role=gridcell]')) cell.click();
  expect(followed).toEqual([
    [0, 1],
    [1, 1],
    [3, 1],
  ]);
});

test.each<[string, Cell[], boolean[]]>([
  ['lock', ['LockApp.exe', 'x', null], [true, false, false]],
  ['> 5', [6, 5, 10n ** 17n, 'six', null], [true, false, true, true, false]],
  ['= svchost.exe', ['svchost.exe', 'svchost.exe2'], [true, false]],
  ['!= 5', [5, 6, null], [false, true, false]],
  ['null', [null, 0, ''], [true, false, false]],
  ['!null', [null, 0, ''], [false, true, true]],
])('the filter %j', (typed, cells, passed) => {
  expect(cells.map((cell) => parseFilter(typed)?.(cell))).toEqual(passed);
});

test('many rows are sorted by merging; equal ones keep their order, null is last either way', async () => {
  const count = 100_000;
  const value = (row: number) => (row % 10 === 9 ? null : (row * 7919) % 1000);
  const rows = Uint32Array.from({ length: count }, (_, row) => row);
  const turns = new Turns(new AbortController().signal);
  const compare = (a: number, b: number) => compareCells(value(a), value(b), true);
  const expected = [...rows].sort(compare);
  expect([...(await sortRows(rows, compare, turns))]).toEqual(expected);
  expect(value(expected.at(-1) ?? 0)).toBeNull();
});
