import { expect, test } from 'vitest';
import type { Query } from '../engine/index.ts';
import type { Stretch } from '../tables/index.ts';
import { blocksAround } from './kept-blocks.ts';
import { loadBlockedSums } from './sum-blocked.ts';
import { START, Story, turns } from './testing.ts';
import { loadWaitsFor } from './waits-for.ts';
import { NOT_ENDED } from './wakers.ts';

const at = (s: number) => START + Math.round(s * 1e9);
const WHOLE = { start: at(0), end: at(20) };

/** Each thread that waited, and for whom and how long, in the order of threads; −1 for no thread. */
function sorted(waits: readonly { readonly utid: number; readonly waker: number; readonly ns: number }[]) {
  const sums = new Map<string, number>();
  for (const { utid, waker, ns } of waits) {
    if (waker === NOT_ENDED) continue;
    const pair = `${utid} for ${waker > 0 ? waker : -1}`;
    sums.set(pair, (sums.get(pair) ?? 0) + ns);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The same by the sums of blocks. */
async function byBlocks(query: Query, range: Stretch) {
  const { groups } = await loadBlockedSums(query, { range, utids: null, withWork: false }, null);
  const { utid: utids, waker, ns } = groups;
  return sorted(Array.from(utids, (utid, row) => ({ utid, waker: waker[row] ?? NaN, ns: ns[row] ?? NaN })));
}

/** Compares ranges in the whole and by themselves. */
async function expectSame(query: Query): Promise<void> {
  await blocksAround(query, WHOLE);
  for (let start = 0; start < 20; start += 1.7)
    for (let end = start + 0.9; end <= 20; end += 3.3) {
      const range = { start: at(start), end: at(end) };
      const alone: Query = (...asked) => query(...asked);
      const expected = await byBlocks(query, range);
      expect(sorted(await loadWaitsFor(query, range))).toEqual(expected);
      expect(sorted(await loadWaitsFor(alone, range))).toEqual(expected);
    }
}

test('the waits of the whole and of each range are those of the blocks', async () => {
  const story = turns(6, false);
  for (let tid = 1; tid <= 6; tid++) story.runs(tid, 19_960_000 + tid, 19_970_000 + tid);
  const query = await story.query();
  expect((await blocksAround(query, WHOLE)).areAll).toBe(true);
  expect(sorted(await loadWaitsFor(query, WHOLE))).toEqual(await byBlocks(query, WHOLE));
  await expectSame(query);
});

test('a thread that wakes itself waits for itself', async () => {
  const query = await turns(6).query();
  expect((await blocksAround(query, WHOLE)).areAll).toBe(false);
  await expectSame(query);
});

test('a block that no ready event ends counts, too', async () => {
  const story = turns(7, false).runs(7, 19_500_000, 19_500_100);
  const query = await story.query();
  expect((await blocksAround(query, WHOLE)).areAll).toBe(false);
  await expectSame(query);
});

test('a wake that no run follows counts, and a block that nothing ends does not', async () => {
  const story = new Story(3, 1000).runs(1, 10, 20).runs(2, 15, 30).runs(3, 5, 700).wakes(600, 3, 1);
  const query = await story.query();
  const range = { start: START, end: START + 1_000_000 };
  const waits = await loadWaitsFor(query, range);
  expect(sorted(waits)).toEqual(await byBlocks(query, range));
  expect(sorted(waits).map(([, ns]) => ns)).toEqual([580_000]);
});
