import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import type { FlameNode } from '../kit/index.ts';
import { blockedTimeTables } from './tables.ts';
import { blockedTime } from './view.ts';

const START = 1_000_000_000;
const MS = 1_000_000;
const whole = { start: START, end: START + 100 * MS };
/** What tells the stack of a context switch and of a ready event from others. */
const [OF_SWITCH, OF_READY] = [0x0524, 0x0532].map((id) => 2 ** 48 + 2 ** 18 + 2 ** 16 + id);
const WAITING = 5;

/** `app.exe` is blocked twice for its lock, 20 and 10 ms, and once for 30 ms for work; `server.exe` wakes it. */
function lockTrace(hasStacks: boolean): TraceWriter {
  const at = (ms: number) => START + ms * MS;
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: whole.end })
    .process(START, 'app.exe', '', { pid: 8 })
    .process(START, 'server.exe', '', { pid: 16 })
    .thread(START, null, { tid: 10, pid: 8 })
    .thread(START, null, { tid: 20, pid: 16 })
    .beginSamples(
      START,
      [
        ['\\app.exe', 0x1000, 0x2000],
        ['\\server.exe', 0x5000, 0x6000],
      ],
      [
        [0, 1, 'main'],
        [0, 2, 'lock'],
        [0, 3, 'read'],
        [1, 1, 'unlock'],
      ],
      [[0, 1], [0, 2], [3]],
    );
  const runs = (from: number, to: number, waitReason: number, waitStack: number | null) => {
    const sample = { rank: 0, outPriority: 8, waitReason, state: WAITING };
    trace.contextSwitch(at(from), 0, [0, 2, 0], [10, 8, sample]);
    if (hasStacks && waitStack !== null)
      trace.sample(at(from), 0, [8, 10], { stack: waitStack, isKernel: true, value: OF_SWITCH ?? 0 });
    trace.contextSwitch(at(to), 0, [10, WAITING, waitReason], [0, 0]);
  };
  const wakes = (ms: number) => {
    trace.readyThread(at(ms), 1, 10, 20);
    if (hasStacks) trace.sample(at(ms), 1, [16, 20], { stack: 2, isKernel: true, value: OF_READY ?? 0 });
  };
  const serves = { rank: 0, outPriority: 8, waitReason: 6, state: WAITING };
  trace.contextSwitch(at(1), 1, [0, 2, 0], [20, 8, serves]);
  runs(2, 10, 6, null);
  wakes(30);
  runs(31, 40, 6, 0);
  wakes(50);
  runs(51, 55, 15, 1);
  wakes(85);
  runs(86, 100, 6, 0);
  return trace.fact(whole.end, 'etw.end');
}

const [WITH, WITHOUT] = [await queryOf(lockTrace(true)), await queryOf(lockTrace(false))];

const load = (given: Readonly<Record<string, unknown>>, query = WITH, range = whole) =>
  blockedTime.load(query, readParams(blockedTime.params, given), range);

/** The picture as text: a frame a line, with its ms. */
const drawn = ({ label, samples, children }: FlameNode, depth = 0): string[] => [
  `${'  '.repeat(depth)}${label} ${samples / MS}`,
  ...children.flatMap((child) => drawn(child, depth + 1)),
];

test('by wait reason and waker: waits for work do not count unless they are asked for', async () => {
  const { root, ns, work_ns, count } = await load({});
  expect(drawn(root)).toEqual([
    'all 30',
    '  UserRequest 30',
    '    app.exe (pid 8) 30',
    '      app.exe (tid 10) 30',
    '        server.exe (tid 20) 30',
  ]);
  expect([ns / MS, work_ns / MS, count]).toEqual([30, 30, 2]);
  const counted = await load({ work: 'counted', by: 'waker' });
  expect(drawn(counted.root).slice(0, 4)).toEqual([
    'all 60',
    '  server.exe (pid 16) 60',
    '    server.exe (tid 20) 60',
    '      app.exe (tid 10) 60',
  ]);
});

test('by wait stack and by readying stack', async () => {
  const waits = await load({ by: 'wait-stack', work: 'counted' });
  expect(drawn(waits.root)).toEqual([
    'all 60',
    '  app.exe (pid 8) 60',
    '    app.exe!main 60',
    '      app.exe!lock 50',
    '        WrQueue 30',
    '        UserRequest 20',
    '      app.exe!read 10',
    '        UserRequest 10',
  ]);
  const wakes = await load({ by: 'ready-stack', frames: 'module' });
  expect(drawn(wakes.root)).toEqual([
    'all 30',
    '  server.exe (tid 20) 30',
    '    server.exe 30',
    '      app.exe (tid 10) 30',
  ]);
  const stacks = blockedTimeTables(wakes).at(-1);
  expect(stacks?.rows).toEqual([[30 * MS, 1, 2, 'server.exe', 20 * MS, START + 10 * MS, 'app.exe (tid 10)']]);
});

test('without stacks the picture tells wait reasons, and says what would record stacks', async () => {
  const { by, root, notes } = await load({ by: 'wait-stack' }, WITHOUT);
  expect(by).toBe('reason');
  expect(root).toEqual((await load({})).root);
  expect(notes).toEqual([
    'No stacks of context switches were recorded: the picture tells wait reasons in place of wait stacks. Record with the kernel flag CSWITCH and stacks of CSwitch (in WPR: the CPU profile).',
  ]);
  expect(blockedTimeTables(await load({ by: 'wait-stack' }, WITHOUT)).at(-1)?.rows).toEqual([notes]);
});

test('of a range, a thread and a process only what they have', async () => {
  const sums = async (given: Readonly<Record<string, unknown>>, range = whole) =>
    (await load(given, WITH, range)).ns / MS;
  expect(await sums({}, { start: START + 25 * MS, end: START + 45 * MS })).toBe(10);
  expect(await sums({ process: 'app' })).toBe(30);
  expect(await sums({ thread: '20' })).toBe(0);
});

test('a still draws the picture', async () => {
  const { texts } = stillOf(blockedTime, await load({ by: 'wait-stack' }), whole, { by: 'wait-stack' });
  expect(texts).toContain('app.exe!main');
});
