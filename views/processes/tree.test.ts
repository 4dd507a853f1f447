import { expect, test } from 'vitest';
import { inTreeOrder, type LooseProcess } from './tree.ts';

const process = (upid: number, parent_upid: number | null): LooseProcess => ({
  upid,
  parent_upid,
  life: {
    pid: 4 * upid,
    name: `${upid}.exe`,
    parent_pid: null,
    command_line: null,
    session: null,
    services: null,
    package: null,
    create_ts: null,
    exit_ts: null,
    exit_code: null,
    threads: 1,
    exit: null,
  },
});

test('children stand below their parents, and those whose parent is gone at the root', () => {
  const processes = [process(1, null), process(2, 1), process(9, 7), process(3, 2), process(4, 1)];
  expect(inTreeOrder(processes).map(({ pid, depth, parent }) => [pid, depth, parent])).toEqual([
    [4, 0, null],
    [8, 1, '1.exe'],
    [12, 2, '2.exe'],
    [16, 1, '1.exe'],
    [36, 0, null],
  ]);
});
