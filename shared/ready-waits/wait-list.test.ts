import { expect, test } from 'vitest';
import type { ThreadName } from '../threads/index.ts';
import { ProcessCodes } from './process-codes.ts';
import { binOf, waitKey } from './wait-key.ts';
import { rowsByProcess, WaitList } from './wait-list.ts';

/** A thread of the process `upid`. */
const ofProcess = (upid: number | null): ThreadName => ({
  ...{ tid: 0, thread: null, upid, pid: null, process: null, services: null, service: null },
});

/** Waits in lists of two. */
function listsOf(waits: readonly (readonly [utid: number, key: number, dur_ns: number])[]): WaitList[] {
  return Array.from({ length: Math.ceil(waits.length / 2) }, (_, at) => {
    const list = new WaitList(3);
    for (const wait of waits.slice(2 * at, 2 * at + 2)) list.add(...wait);
    return list;
  });
}

test('waits come process after process, each with a row of its own; first those of unknown processes', () => {
  const [short, long] = [waitKey(1, 9, 0, binOf(1_000)), waitKey(3, 9, 1, binOf(50_000))];
  const lists = listsOf([
    [1, short, 1_000],
    [3, long, 50_000],
    [2, short, 1_010],
    [0, long, 60_000],
    [1, long, 50_000],
    [4, short, 1_000],
  ]);
  const names = new Map([2, 1, 2, null].map((upid, utid) => [utid, ofProcess(upid)]));
  const { utid, key, count, sum_ns, max_ns } = rowsByProcess(lists, new ProcessCodes(names));
  const rows = Array.from(utid, (_, row) => [utid, key, count, sum_ns, max_ns].map((column) => column[row]));
  expect(rows).toEqual([
    [3, long, 1, 50_000, 50_000],
    [4, short, 1, 1_000, 1_000],
    [1, short, 1, 1_000, 1_000],
    [1, long, 1, 50_000, 50_000],
    [2, short, 1, 1_010, 1_010],
    [0, long, 1, 60_000, 60_000],
  ]);
});
