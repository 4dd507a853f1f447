import { expect, test } from 'vitest';
import type { Query } from '../engine/index.ts';
import { loadBlame } from './blame.ts';
import { DELAY_EXECUTION, START, Story, turns, USER_REQUEST, utidsOf, WR_QUEUE } from './testing.ts';

/** Who is to blame, in µs: thread, waits while it was active, while it was blocked, and its own CPU time. */
async function blameOf(story: Story, from = 0, to = 1000): Promise<readonly (readonly number[])[]> {
  const query = await story.query();
  const tids = new Map([...(await utidsOf(query))].map(([tid, utid]) => [utid, tid]));
  const range = { start: START + from * 1000, end: START + to * 1000 };
  const blames = await loadBlame(query, range);
  return blames.map(({ utid, active_ns, blocked_ns, ran_ns }) => [
    tids.get(utid) ?? -1,
    active_ns / 1000,
    blocked_ns / 1000,
    ran_ns / 1000,
  ]);
}

test('two threads that wait for one count both', async () => {
  const story = new Story(3, 1000)
    .runs(1, 10, 20)
    .runs(2, 11, 30)
    .runs(3, 5, 90)
    .wakes(80, 3, 1)
    .wakes(81, 3, 2)
    .runs(1, 82, 100)
    .runs(2, 83, 100);
  expect(await blameOf(story)).toEqual([
    [3, 60 + 51, 0, 85],
    [2, 0, 0, 36],
    [1, 0, 0, 28],
  ]);
});

test('a thread that waits itself hands its waits on to the end of the chain, and nothing counts twice', async () => {
  const story = new Story(3, 1000)
    .runs(1, 10, 20)
    .runs(2, 5, 40)
    .runs(3, 6, 80)
    .wakes(79, 3, 2)
    .runs(2, 80, 120)
    .wakes(110, 2, 1)
    .runs(1, 111, 130);
  // Thread 1 waits from 20 to 110: 20 µs for thread 2, 39 for thread 3, 31 for thread 2. Thread 2 waits 39 for thread 3.
  expect(await blameOf(story)).toEqual([
    [3, 39 + 39, 0, 74],
    [2, 20 + 31, 0, 75],
    [1, 0, 0, 29],
  ]);
});

test('a thread that waits for a timer makes others wait while it is blocked', async () => {
  const story = new Story(2, 1000)
    .runs(1, 10, 20)
    .runs(2, 5, 30, DELAY_EXECUTION)
    .wakes(70, 0, 2)
    .runs(2, 71, 90)
    .wakes(80, 2, 1)
    .runs(1, 81, 90);
  expect(await blameOf(story)).toEqual([
    [2, 10 + 10, 40, 44],
    [1, 0, 0, 19],
  ]);
});

test('a wait for work does not count by itself, and hands on those of others', async () => {
  const story = new Story(3, 1000)
    .runs(1, 50, 60)
    .runs(2, 5, 10, WR_QUEUE)
    .runs(3, 10, 80)
    .wakes(70, 3, 2)
    .runs(2, 71, 100, USER_REQUEST)
    .wakes(90, 2, 1)
    .runs(1, 91, 95);
  expect(await blameOf(story)).toEqual([
    [2, 20, 0, 34],
    [3, 10, 0, 70],
    [1, 0, 0, 14],
  ]);
});

test('of a range only what lies in it counts', async () => {
  const story = new Story(2, 1000).runs(1, 10, 20).runs(2, 5, 100).wakes(90, 2, 1).runs(1, 91, 120);
  expect(await blameOf(story, 50, 95)).toEqual([
    [2, 40, 0, 45],
    [1, 0, 0, 4],
  ]);
  expect(await blameOf(story, 30, 60)).toEqual([[2, 0, 0, 30]]);
});

test('a range gives what it gives by itself, also where a longer one is known', async () => {
  const query = await turns(6).query();
  const at = (s: number) => START + Math.round(s * 1e9);
  await loadBlame(query, { start: at(0), end: at(20) });
  for (let start = 0; start < 20; start += 1.7)
    for (let end = start + 0.9; end <= 20; end += 3.3) {
      const range = { start: at(start), end: at(end) };
      const alone: Query = (...asked) => query(...asked);
      expect(await loadBlame(query, range)).toEqual(await loadBlame(alone, range));
    }
});
