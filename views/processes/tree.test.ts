import { expect, test } from 'vitest';
import { inTreeOrder, type LooseProcess } from './tree.ts';

const process = (
  pid: number,
  parent_pid: number | null,
  create_ts: number | null = null,
  exit_ts: number | null = null,
): LooseProcess => ({
  pid,
  name: `${pid}.exe`,
  parent_pid,
  command_line: null,
  session: null,
  services: null,
  package: null,
  create_ts,
  exit_ts,
  exit_code: null,
  threads: 1,
  exit: null,
});

const tree = (processes: readonly LooseProcess[]) =>
  inTreeOrder(processes).map(({ pid, depth, parent }) => [pid, depth, parent]);

test('children stand below their parents, and those whose parent is gone at the root', () => {
  expect(tree([process(4, 0), process(8, 4), process(30, 99), process(12, 8), process(16, 4)])).toEqual([
    [4, 0, null],
    [8, 1, '4.exe'],
    [12, 2, '8.exe'],
    [16, 1, '4.exe'],
    [30, 0, null],
  ]);
});

test('a parent is the process that had the id when the child was created', () => {
  const [first, second] = [process(8, 4, null, 50), process(8, 4, 60)];
  expect(
    tree([process(4, 0), first, second, process(20, 8, 40), process(24, 8, 70), process(28, 8, 55)]),
  ).toEqual([
    [4, 0, null],
    [8, 1, '4.exe'],
    [20, 2, '8.exe'],
    [8, 1, '4.exe'],
    [24, 2, '8.exe'],
    [28, 0, null],
  ]);
});

test('a process that came later is no parent: it has the id that the parent once had', () => {
  expect(tree([process(8, 12), process(12, 8), process(16, 16)])).toEqual([
    [8, 0, null],
    [12, 1, '8.exe'],
    [16, 0, null],
  ]);
});
