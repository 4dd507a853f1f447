import { expect, test } from 'vitest';
import { lockScreenTrace } from '../../shared/engine/testing/lock-screen.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import type { CpuUsageModel } from './model.ts';
import { GROUPINGS } from './params.ts';
import { cpuUsage } from './view.ts';

const WAITING = 5;
const whole = { start: 1000, end: 2000 };
const query = await queryOf(lockScreenTrace());

const load = (given: Readonly<Record<string, unknown>>, range = whole) =>
  cpuUsage.load(query, readParams(cpuUsage.params, given), range);

test('all that is drawn of two buckets of a small trace', async () => {
  expect(await load({ by: 'rank-priority', top: 2 }, { start: 1298, end: 1300 })).toEqual({
    origin_ns: 1000,
    cpu_count: 2,
    unrecorded: null,
    notes: [],
    by: 'rank-priority',
    edges: [1298, 1299, 1300],
    series: [
      { label: 'rank 0, priority 9', other: false, ran_ns: [1, 1] },
      { label: 'rank 0, priority 8', other: false, ran_ns: [1, 1] },
    ],
    hidden_ns: [0, 0],
    idle_ns: [0, 0],
    unknown_ns: [0, 0],
    counters: [],
    totals: { capacity_ns: 4, shown_ns: 4, hidden_ns: 0, idle_ns: 0, unknown_ns: 0 },
    groups: [
      group('rank 0, priority 8', { rank: 0, priority: 8, ran_ns: 2, share: 0.5 }),
      group('rank 0, priority 9', { rank: 0, priority: 9, ran_ns: 2, share: 0.5 }),
    ],
    by_rank_and_priority: [
      { rank: 0, priority: 9, ran_ns: 2, share: 0.5 },
      { rank: 0, priority: 8, ran_ns: 2, share: 0.5 },
    ],
  } satisfies CpuUsageModel);
});

function group(label: string, known: object) {
  const noThread = { process: null, service: null, pid: null, thread: null, tid: null, alive_ts: null };
  return { label, ...noThread, rank: null, priority: null, ran_ns: 0, share: 0, counted: [], ...known };
}

test('groups over the whole trace, by each grouping', async () => {
  const groups = async (by: string) =>
    (await load({ by })).groups.map(({ label, ran_ns }) => `${label}: ${ran_ns}`);
  expect(Object.fromEntries(await Promise.all(GROUPINGS.map(async (by) => [by, await groups(by)])))).toEqual({
    process: ['busy.exe (pid 30): 650', 'System (pid 4): 340', 'LockApp.exe (pid 16): 250'],
    thread: [
      'busy.exe (tid 32): 450',
      'System (tid 8): 340',
      'LockApp.exe (tid 20, Lock worker): 250',
      'busy.exe (tid 31): 200',
    ],
    priority: ['priority 8: 450', 'priority 9: 340', 'priority 14: 250', 'priority 10: 200'],
    'rank-priority': [
      'rank 0, priority 8: 450',
      'rank 0, priority 9: 340',
      'rank 2, priority 14: 250',
      'rank 0, priority 10: 200',
    ],
  });
});

test('hidden priorities leave the groups, and are counted', async () => {
  const { groups, totals } = await load({ by: 'priority', priority_min: 9, priority_max: 10 });
  expect(groups.map(({ label }) => label)).toEqual(['priority 9', 'priority 10']);
  expect(totals).toEqual({
    capacity_ns: 2000,
    shown_ns: 540,
    hidden_ns: 700,
    idle_ns: 610,
    unknown_ns: 150,
  });
});

test('one rank alone leaves the others hidden', async () => {
  const { groups, totals } = await load({ by: 'rank-priority', rank: 2 });
  expect(groups.map(({ label, ran_ns }) => `${label}: ${ran_ns}`)).toEqual(['rank 2, priority 14: 250']);
  expect([totals.shown_ns, totals.hidden_ns]).toEqual([250, 990]);
});

test.each([
  ['in steps', whole],
  ['in steps and parts of steps', { start: 1033, end: 1999 }],
  ['summed from runs', { start: 1051, end: 1230 }],
])('each bucket adds up to its length times the CPUs: %s', async (_, range) => {
  const model = await load({ by: 'thread', top: 1, priority_min: 9 }, range);
  const { edges, series, hidden_ns, idle_ns, unknown_ns } = model;
  const parts = [...series.map(({ ran_ns }) => ran_ns), hidden_ns, idle_ns, unknown_ns];
  const sums = idle_ns.map((_, bucket) => parts.reduce((sum, part) => sum + (part[bucket] ?? 0), 0));
  expect(sums).toEqual(idle_ns.map((_, bucket) => 2 * ((edges[bucket + 1] ?? 0) - (edges[bucket] ?? 0))));
  expect([edges[0], edges.at(-1)]).toEqual([range.start, range.end]);
});

test('how much may have begun at another rank is told later, and with the picture where it is known', async () => {
  const run = (rank: number) => ({ rank, outPriority: 8, waitReason: 6, state: WAITING });
  const trace = new TraceWriter()
    .start(1000, 0)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .process(1000, 'LockApp.exe', '', { pid: 16 })
    .thread(1000, 'UI', { tid: 20, pid: 16 })
    .contextSwitch(1100, 0, [0, 2, 0], [20, 8, run(0)])
    .contextSwitch(1200, 0, [20, WAITING, 6], [0, 0])
    .contextSwitch(1300, 0, [0, 2, 0], [20, 8, run(2)])
    .contextSwitch(1350, 0, [20, WAITING, 6], [0, 0])
    .fact(2000, 'etw.end')
    .flush(2000);
  const ask = await queryOf(trace);
  const asked = readParams(cpuUsage.params, { by: 'rank-priority' });
  const first = await cpuUsage.load(ask, asked, whole);
  const doubt =
    'The rank of a thread is recorded where its run ends. 50 ns of CPU time are of runs that may have begun at another rank.';
  expect(first.notes).toEqual([]);
  expect(await cpuUsage.later?.load(ask, asked, whole, first)).toEqual({ ...first, notes: [doubt] });
  const again = await cpuUsage.load(ask, asked, whole);
  expect(again).toEqual({ ...first, notes: [doubt] });
  const { notes } = await cpuUsage.load(ask, readParams(cpuUsage.params, {}), whole);
  expect(notes).toEqual([]);
  // The model that was told first may have been kept: what came later goes with it all the same.
  const later = await cpuUsage.later?.load(ask, asked, whole, again);
  expect(later).toEqual(again);
  expect(later).not.toBe(again);
});

test('a still is one SVG with the areas named', async () => {
  const selection = { span: { start: 1200, end: 1800 }, thread: null, pid: null };
  const { svg, texts } = stillOf(cpuUsage, await load({}), whole, {}, { selection });
  expect(svg.querySelectorAll('.shade')).toHaveLength(1);
  expect(texts.slice(0, 8)).toEqual([
    'CPU usage',
    'Events were lost in one gap: what ran there is hatched, or with the wrong thread where the CPU is not known.',
    '2 CPUs 2.00 µs, ran 1.24 µs (62.0 % of all), idle 610 ns (30.5 % of all), not recorded 150 ns (7.5 % of all)',
    'CPUs in use',
    'the largest at the bottom',
    'busy.exe (pid 30)',
    'System (pid 4)',
    'LockApp.exe (pid 16)',
  ]);
});
