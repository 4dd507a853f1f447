import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { outrank } from './support/outrank.ts';
import { demo, Scratch } from './support/places.ts';
import { readTruth, ticksOf } from './support/truth.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());
const cache = scratch.path('cache');

test('the wait of the lock screen is found, exact to the tick', async () => {
  const file = join(import.meta.dirname, 'longest-wait.sql');
  const { code, stdout, stderr } = await outrank(
    cache,
    'query',
    demo.trace,
    '--file',
    file,
    '--format',
    'json',
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const truth = readTruth();
  const [row, ...others] = JSON.parse(stdout) as Record<string, number | string>[];
  expect(others).toEqual([]);
  const { ts, switch_in_ts, last_switch_out_ts, cause, ended, waker_in_dpc, ...facts } = row ?? {};
  expect({ cause, ended }).toEqual({ cause: 'wake', ended: 1 });
  expect({
    ...facts,
    waker_in_dpc: waker_in_dpc === 1,
    last_switch_out_ticks: ticksOf(Number(last_switch_out_ts), truth),
    ready_ticks: ticksOf(Number(ts), truth),
    switch_in_ticks: ticksOf(Number(switch_in_ts), truth),
  }).toEqual(truth.wait);
  expect({ priority: facts.priority, rank: facts.rank }).toEqual({ priority: 14, rank: 2 });
});
