import { expect, test } from 'vitest';
import { lockScreenTrace } from '../../shared/engine/testing/lock-screen.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { readParams, type Selection } from '../../shared/view/index.ts';
import { chooseGroup, chosenGroup } from './choose.ts';
import type { CpuUsageParams } from './params.ts';
import { cpuUsage } from './view.ts';

const wait = { start: 1200, end: 1800 };
const nothing: Selection = { span: wait, thread: null, pid: null };

const query = await queryOf(lockScreenTrace());

/** Chooses the first group; gives what is selected and asked for then, and which group is chosen before and after. */
async function choose(given: Readonly<Record<string, unknown>>) {
  const params = readParams(cpuUsage.params, given);
  const model = await cpuUsage.load(query, params, { start: 1000, end: 2000 });
  const done: { selection: Selection; changed: Partial<CpuUsageParams> } = {
    selection: nothing,
    changed: {},
  };
  chooseGroup(model, 0, {
    params,
    selection: nothing,
    select: (selection) => (done.selection = selection),
    setParams: (changed) => (done.changed = changed),
  });
  const after = { params: { ...params, ...done.changed } };
  return {
    ...done,
    chosen: [chosenGroup(model, nothing, { params }), chosenGroup(model, done.selection, after)],
  };
}

test("a thread's or a process's row selects it, and leaves the chosen wait", async () => {
  expect(await choose({ by: 'thread' })).toEqual({
    selection: { span: wait, thread: { tid: 32, ts: 1100 }, pid: 30 },
    changed: {},
    chosen: [null, 0],
  });
  expect(await choose({ by: 'process' })).toEqual({
    selection: { span: wait, thread: null, pid: 30 },
    changed: {},
    chosen: [null, 0],
  });
});

test('the row of a priority, or of a rank with one, hides all others, and chosen again shows all', async () => {
  expect(await choose({ by: 'priority' })).toEqual({
    selection: nothing,
    changed: { rank: null, priority_min: 8, priority_max: 8 },
    chosen: [null, 0],
  });
  const only = { rank: 0, priority_min: 8, priority_max: 8 };
  expect(await choose({ by: 'rank-priority' })).toEqual({
    selection: nothing,
    changed: only,
    chosen: [null, 0],
  });
  expect(await choose({ by: 'rank-priority', ...only })).toEqual({
    selection: nothing,
    changed: { rank: null, priority_min: null, priority_max: null },
    chosen: [0, null],
  });
});
