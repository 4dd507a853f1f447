import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { Story } from '../../shared/causes/testing.ts';
import type { Query } from '../../shared/engine/index.ts';
import { readParams, stillContext } from '../../shared/view/index.ts';
import { episodesTables } from './tables.ts';
import { episodes } from './view.ts';

const MS = 1000;
const ACTIVITIES = 20;
const whole = { start: 1000, end: 1000 + (ACTIVITIES + 1) * MS * 1000 };

/** A thread does an activity each ms; each fifth waits for a lock that thread 2 holds for 300 µs. */
async function activities(): Promise<Query> {
  const story = new Story(2, (ACTIVITIES + 1) * MS);
  for (let index = 0; index < ACTIVITIES; index++) {
    const at = index * MS;
    const header = { ActivityId: `{11111111-0000-0000-0000-${String(index).padStart(12, '0')}}` };
    const event = (us: number, opcode: number) =>
      story.at(us, (trace, ts) => trace.genericEvent(ts, 'App/Load', [4, 1], opcode, {}, { opcode, header }));
    event(at + 20, 1);
    if (index % 5 !== 4) {
      story.runs(1, at + 10, at + 60);
      event(at + 50, 2);
      continue;
    }
    const wake = at + 300 + index;
    story
      .runs(1, at + 10, at + 30)
      .runs(2, at + 5, wake + 100)
      .wakes(wake, 2, 1)
      .runs(1, wake + 10, wake + 60);
    event(wake + 30, 2);
  }
  return story.query();
}

const load = (query: Query, given: Readonly<Record<string, unknown>>) =>
  episodes.load(query, readParams(episodes.params, given), whole);
const contrasted = async (query: Query, given: Readonly<Record<string, unknown>>) => {
  const params = readParams(episodes.params, given);
  return episodes.later?.load(query, params, whole, await load(query, given));
};

test('kinds, and the longest episodes of the first kind', async () => {
  const model = await load(await activities(), { limit: 2 });
  const [kinds, longest] = episodesTables(model).map(({ rows }) => rows);
  expect(kinds).toMatchObject([
    ['start to stop of an activity', 20, 30_000, 324_000, 329_000, 19_021_000, 'app.exe (tid 1)'],
    ['thread woken to its run', 4, 10_000, 10_000, 10_000, 4_305_000, 'app.exe (tid 1)'],
  ]);
  expect(longest).toEqual([
    [19_021_000, 329_000, 'app.exe (tid 1)'],
    [14_021_000, 324_000, 'app.exe (tid 1)'],
  ]);
  expect(model.bars.reduce((sum, { count }) => sum + count, 0)).toBe(ACTIVITIES);
});

test('another kind and another limit show more of what was found', async () => {
  const query = await activities();
  const listed = async (given: Readonly<Record<string, unknown>>) =>
    (await load(query, given)).episodes.length;
  expect(await listed({ limit: 2 })).toBe(2);
  expect(await listed({ limit: 7 })).toBe(7);
  expect(await listed({ limit: 5000 })).toBe(ACTIVITIES);
  expect(await listed({ kind: 'wake' })).toBe(4);
});

test('lengths that are chosen are compared: the slow ones waited for another thread', async () => {
  const model = await contrasted(await activities(), { slow_from_ms: 0.3, ordinary_to_ms: 0.1 });
  const { slow, ordinary, rows = [] } = model?.contrast ?? {};
  expect([slow?.count, ordinary?.count]).toEqual([4, 16]);
  const sure = rows.filter(({ is_sure }) => is_sure).map(({ side, value }) => `${side}: ${value}`);
  expect(sure).toContain('cause: ran, another thread');
  expect(sure).toContain('waker: app.exe (tid 2)');
});

test('without a choice those above p95 are slow', async () => {
  const { contrast } = (await contrasted(await activities(), {})) ?? {};
  expect([contrast?.slow.count, contrast?.ordinary.count]).toEqual([1, 16]);
});

test('a kind without episodes is said to have none', async () => {
  const query = await activities();
  const params = readParams(episodes.params, { kind: 'freeze' });
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const model = await episodes.load(query, params, whole);
  episodes.draw(document.body, model, stillContext({ range: whole, cpuCount: 3 }, whole, params));
  expect(document.body.textContent).toContain('No episodes of this kind here');
});
