import { expect, test } from 'vitest';
import { START, Story } from '../../shared/causes/testing.ts';
import type { Query } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { tooMany } from './load.ts';
import { whatIfTables } from './tables.ts';
import { whatIf } from './view.ts';

const whole = { start: START, end: START + 1_000_000 };

/** On the only CPU thread 2 runs from 0 to 500 µs at rank 0; thread 1, of rank 2, is ready from 100 µs on. */
const oneCpu = (): Promise<Query> => {
  const run = (rank: number, outPriority: number) => ({ rank, outPriority, waitReason: 6, state: 5 });
  const story = new Story(2, 1000);
  const on = (
    us: number,
    tid: number,
    rank: number,
    priority: number,
    before: readonly [number, number, number],
  ) => story.at(us, (trace, ts) => trace.contextSwitch(ts, 0, before, [tid, priority, run(rank, priority)]));
  on(5, 1, 2, 14, [0, 2, 0]);
  on(10, 2, 0, 8, [1, 5, 6]);
  story.at(100, (trace, ts) => trace.readyThread(ts, 0, 1, 0));
  on(500, 1, 2, 14, [2, 5, 6]);
  story.at(600, (trace, ts) => trace.contextSwitch(ts, 0, [1, 5, 6], [0, 0]));
  return story.query();
};

async function tried(query: Query, given: Readonly<Record<string, unknown>>) {
  const params = readParams(whatIf.params, given);
  return whatIf.later?.load(query, params, whole, await whatIf.load(query, params, whole));
}

test('of the longest wait: a better rank helps', async () => {
  const model = await tried(await oneCpu(), {});
  expect(model?.threads).toBe('app.exe (tid 1)');
  if (model === undefined) throw new Error('no later part');
  const rows = whatIfTables(model)[0].rows.map(([change, ready]) => [
    change,
    Math.round(Number(ready) / 1000),
  ]);
  expect(new Map(rows as [string, number][]).get('rank 0')).toBe(0);
});

test('changes that are asked for are tried as well', async () => {
  const model = await tried(await oneCpu(), {
    thread: '1',
    rank: 1,
    priority: 3,
    more_cpus: 2,
    without: '4',
  });
  expect(model?.tried?.map(({ change }) => change).sort()).toEqual([
    '2 CPUs more',
    'one CPU more',
    'priority 15',
    'priority 3',
    'rank 0',
    'rank 1',
    'without 4',
  ]);
});

test.each([19, 255])('rank %d, which a byte holds, is tried', async (rank) => {
  const model = await tried(await oneCpu(), { thread: '1', rank });
  expect(model?.tried?.map(({ change }) => change)).toContain(`rank ${rank}`);
});

test('a thread that is not there, or did not run, is said', async () => {
  const query = await oneCpu();
  expect((await tried(query, { thread: 'no such' }))?.nothing).toBe('The trace has no such thread.');
  const params = readParams(whatIf.params, { thread: '1' });
  const early = { start: START + 700_000, end: START + 900_000 };
  const model = await whatIf.later?.load(query, params, early, await whatIf.load(query, params, early));
  expect(model?.nothing).toBe('None of these threads was switched in and blocked in this range.');
});

test('a range with more than five million runs is not run again', () => {
  expect(tooMany(5_000_000)).toBeNull();
  expect(tooMany(5_000_001)).toBe(
    'The range has 5,000,001 context switches. Zoom to a part with 5,000,000 at most.',
  );
});
