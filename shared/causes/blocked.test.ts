import { expect, test } from 'vitest';
import { dataOf } from '../tables/index.ts';
import { eachBlock } from './each-block.ts';
import { WAKERS } from './wakers.ts';
import { loadBlockedSums } from './sum-blocked.ts';
import { keysOf, sumGroups } from './sum-groups.ts';
import { DELAY_EXECUTION, START, Story, USER_REQUEST, utidsOf, WR_QUEUE } from './testing.ts';

/** All blocks, in µs: thread, from, to, the next switch-in, wait reason, waker. */
async function blocksOf(story: Story): Promise<readonly string[]> {
  const query = await story.query();
  const tids = new Map([...(await utidsOf(query))].map(([tid, utid]) => [utid, tid]));
  const us = (ts: number) => (ts - START) / 1000;
  const blocks: string[] = [];
  await eachBlock(dataOf(query).tables, ({ utid, ts, te, in_ts, reason, waker }, reasons) => {
    const times = `${us(ts)}-${us(te)} in ${us(in_ts)}`;
    const by = WAKERS[waker] ?? tids.get(waker);
    blocks.push(`${tids.get(utid)}: ${times} ${reasons[reason] ?? 'unknown'} by ${by}`);
  });
  return blocks;
}

/** Thread 2 wakes thread 1 twice. A timer wakes thread 2. Then nothing wakes thread 2 and thread 1 again. */
const story = () =>
  new Story(2, 1000)
    .runs(1, 10, 20)
    .runs(2, 5, 100)
    .wakes(50, 2, 1)
    .runs(1, 60, 70, WR_QUEUE)
    .wakes(90, 2, 1)
    .runs(1, 91, 95)
    .runs(2, 105, 200, DELAY_EXECUTION)
    .wakes(300, 0, 2)
    .runs(2, 301, 400);

test('a block lasts from a switch-out to the wake; without one to the switch-in; else to the end', async () => {
  const blocks = [
    '1: 20-50 in 60 UserRequest by 2',
    '1: 70-90 in 91 WrQueue by 2',
    '2: 100-105 in 105 UserRequest by not recorded',
    '2: 200-300 in 301 DelayExecution by a DPC or an interrupt',
    '1: 95-1000 in NaN UserRequest by none: the recording ends',
    '2: 400-1000 in NaN UserRequest by none: the recording ends',
  ];
  expect(await blocksOf(story())).toEqual(blocks);
});

test('a thread that is woken and does not run any more is blocked no longer', async () => {
  const woken = new Story(2, 1000).runs(1, 10, 20).runs(2, 5, 100, USER_REQUEST).wakes(50, 2, 1);
  expect(await blocksOf(woken)).toEqual([
    '1: 20-50 in NaN UserRequest by 2',
    '2: 100-1000 in NaN UserRequest by none: the recording ends',
  ]);
});

test('sums within a range, without waits for work, and by wait reason with the longest block as a whole', async () => {
  const query = await story().query();
  const sums = async (withWork: boolean, utids: ReadonlySet<number> | null = null) => {
    const range = { start: START + 40_000, end: START + 250_000 };
    const { groups, work_ns } = await loadBlockedSums(query, { range, utids, withWork }, null);
    const byReason = keysOf(groups.reason, (reason) => groups.reasons[reason] ?? null);
    const rows = sumGroups(groups, byReason, 10).rows.map(
      ({ key, ns, count, longest_ns }) => `${key} ${ns / 1000} in ${count}, ${longest_ns / 1000}`,
    );
    return { rows, work_us: work_ns / 1000 };
  };
  const withoutWork = ['UserRequest 170 in 3, 905', 'DelayExecution 50 in 1, 100'];
  expect(await sums(false)).toEqual({ rows: withoutWork, work_us: 20 });
  expect(await sums(true)).toEqual({ rows: [...withoutWork, 'WrQueue 20 in 1, 20'], work_us: 0 });
  const second = (await utidsOf(query)).get(2) ?? -1;
  expect(await sums(true, new Set([second]))).toEqual({
    rows: ['DelayExecution 50 in 1, 100', 'UserRequest 5 in 1, 5'],
    work_us: 0,
  });
  expect(await sums(false)).toEqual({ rows: withoutWork, work_us: 20 });
  expect(await sums(false)).toEqual({ rows: withoutWork, work_us: 20 });
});
