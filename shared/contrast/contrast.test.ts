import { expect, test } from 'vitest';
import { Story } from '../causes/testing.ts';
import { contrastEpisodes } from './contrast.ts';

const EVER = { start: 0, end: Number.MAX_SAFE_INTEGER };
const MS = 1000;
const ACTIVITIES = 60;

/** A thread does an activity each ms, which takes 30 µs; `more` says what else it does in one. */
function activities(more: (story: Story, at: number, index: number) => number | null): Story {
  const story = new Story(2, (ACTIVITIES + 1) * MS);
  for (let index = 0; index < ACTIVITIES; index++) {
    const at = index * MS;
    const header = { ActivityId: `{11111111-0000-0000-0000-${String(index).padStart(12, '0')}}` };
    const event = (us: number, opcode: number) =>
      story.at(us, (trace, ts) => trace.genericEvent(ts, 'App/Load', [4, 1], opcode, {}, { opcode, header }));
    event(at + 20, 1);
    const stop = more(story, at, index);
    if (stop === null) story.runs(1, at + 10, at + 60);
    event(stop ?? at + 50, 2);
  }
  return story;
}

test('slow episodes are told from ordinary ones by the thread that they waited for', async () => {
  const story = activities((of, at, index) => {
    if (index % 20 !== 5) return null;
    // Each time a little longer: else nothing would scatter.
    const wake = at + 300 + index;
    of.runs(1, at + 10, at + 30)
      .runs(2, at + 5, wake + 100)
      .wakes(wake, 2, 1)
      .runs(1, wake + 10, wake + 60);
    return wake + 30;
  });
  const { count, p50_ns, slow, ordinary, rows } = await contrastEpisodes(
    await story.query(),
    EVER,
    'activity',
  );
  expect([count, p50_ns, slow.count, ordinary.count]).toEqual([ACTIVITIES, 30_000, 3, 57]);
  const told = rows.map(
    ({ side, value, slow_ns, ordinary_ns, is_sure, slow_share, ordinary_share }) =>
      `${side}, ${value}: ${slow_ns / 1000} to ${ordinary_ns / 1000} in ${slow_share} to ${ordinary_share}${is_sure ? ', sure' : ''}`,
  );
  // Blocked from 30 to 325 µs on average: thread 2 ran meanwhile.
  expect(told.slice(0, 5).sort()).toEqual([
    'cause, ran, another thread: 295 to 0 in 1 to 0, sure',
    'cpu, 2: 295 to 0 in 1 to 0, sure',
    'process, app.exe: 295 to 0 in 1 to 0, sure',
    'thread, app.exe (tid 2): 295 to 0 in 1 to 0, sure',
    'waker, app.exe (tid 2): 295 to 0 in 1 to 0, sure',
  ]);
  expect(told).toContain('cause, ready: idle wake-up: 10 to 0 in 1 to 0, sure');
  // It ran for 30 µs itself, in all of them.
  expect(rows.find(({ side, value }) => side === 'cause' && value === 'ran')).toBeUndefined();
});

test('a single slow episode makes nothing sure', async () => {
  const story = activities((of, at, index) => {
    if (index !== 7 && index !== 8) return null;
    const wake = at + 300 + index;
    of.runs(1, at + 10, at + 30)
      .runs(2, at + 5, wake + 100)
      .wakes(wake, 2, 1)
      .runs(1, wake + 10, wake + 60);
    return wake + 30;
  });
  const query = await story.query();
  const upTo = (activity: number) => ({ start: 0, end: 1000 + activity * MS * 1000 });
  const { slow, rows } = await contrastEpisodes(query, upTo(19), 'activity');
  expect(slow.count).toBe(0);
  expect(rows).toEqual([]);
  const more = await contrastEpisodes(query, upTo(30), 'activity');
  expect(more.slow.count).toBe(1);
  expect(more.rows.length).toBeGreaterThan(3);
  expect(more.rows.filter(({ is_sure }) => is_sure)).toEqual([]);
});

test('where all episodes are alike there is nothing to compare', async () => {
  const query = await activities(() => null).query();
  const { count, slow, rows } = await contrastEpisodes(query, EVER, 'activity');
  expect([count, slow.count, rows]).toEqual([ACTIVITIES, 0, []]);
});
