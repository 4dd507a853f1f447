import { expect, test } from 'vitest';
import { GroupSums, SEVERAL } from './group-sums.ts';
import type { BlockedGroups } from './sum-blocked.ts';
import { keysOf, sumGroups } from './sum-groups.ts';

type Row = readonly [utid: number, waker: number, ns: number, longest_ns: number];

/** Groups of one block each, but for the longest ones of several. */
const groupsOf = (rows: readonly Row[], isInOrder: boolean): BlockedGroups => {
  const utid = Int32Array.from(rows, ([of]) => of);
  return {
    ...{ utid, longest_utid: utid, isInOrder, reasons: [null] },
    reason: new Uint8Array(rows.length),
    waker: Int32Array.from(rows, ([, waker]) => waker),
    callsite: new Int32Array(rows.length).fill(-1),
    ns: Float64Array.from(rows, ([, , ns]) => ns),
    count: new Uint32Array(rows.length).fill(1),
    longest_ts: Float64Array.from(rows, (_, row) => row),
    longest_ns: Float64Array.from(rows, ([, , , longest_ns]) => longest_ns),
  };
};

const byWaker = (rows: readonly Row[], isInOrder: boolean, most = 10) => {
  const groups = groupsOf(rows, isInOrder);
  const { rows: sums, ...rest } = sumGroups(
    groups,
    keysOf(groups.waker, (waker) => `by ${waker}`),
    most,
  );
  return { sums: sums.map(({ key, utid, ns, longest_ns }) => [key, utid, ns, longest_ns]), ...rest };
};

test('most time first; of those that are alike the first one, and the first of the longest blocks', () => {
  const rows: readonly Row[] = [
    [1, 7, 20, 20],
    [2, -1, 30, 30],
    [3, 7, 20, 20],
    [4, 8, 30, 30],
    [5, 9, 1, 1],
  ];
  const [seven, interrupt, eight] = [
    ['by 7', 1, 40, 20],
    ['by -1', 2, 30, 30],
    ['by 8', 4, 30, 30],
  ];
  expect(byWaker(rows, true, 3)).toEqual({ sums: [seven, interrupt, eight], all: 4, isCertain: true });
  expect(byWaker(rows, true, 1)).toEqual({ sums: [seven], all: 4, isCertain: true });
});

test('where the order says nothing, what is alike is not certain', () => {
  const sum = (...rows: readonly Row[]) => byWaker(rows, false, 2).isCertain;
  expect(sum([1, 7, 20, 20], [2, 8, 30, 30])).toBe(true);
  // Two longest blocks; two sums.
  expect(sum([1, 7, 20, 20], [2, 7, 30, 20])).toBe(false);
  expect(sum([1, 7, 30, 20], [2, 8, 30, 30])).toBe(false);
  // The one that is left out could be the one that is listed.
  expect(sum([1, 7, 50, 50], [2, 8, 30, 30], [3, 9, 30, 20])).toBe(false);
  expect(sum([1, 7, 50, 50], [2, 8, 40, 40], [3, 9, 30, 20], [4, 6, 30, 30])).toBe(true);
  expect(sum([SEVERAL, 7, 50, 50])).toBe(false);
});

test('of sums by number the longest block has its thread, unless others are as long', () => {
  const sums = new GroupSums();
  sums.add(3, 5, 0, 100, 5, 1);
  sums.add(3, 9, 1, 200, 9, 2);
  sums.add(3, 7, 2, 300, 7, 3);
  const first = sums.take();
  sums.add(3, 9, 3, 150, 9, 4);
  const second = sums.take();
  sums.addSums(first);
  sums.addSums(second);
  const both = sums.take();
  const longest = ({ longest_ns, longest_ts, longest_utid }: typeof both) =>
    [longest_ns, longest_ts, longest_utid].map(([of]) => of);
  expect([first, second, both].map(longest)).toEqual([
    [9, 200, 2],
    [9, 150, 4],
    [9, 150, SEVERAL],
  ]);
});
