import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { exitSentences } from './words.ts';
import { processes } from './view.ts';

const WAITING = 5;
const TERMINATED = 4;
const WR_RESOURCE = 27;
const range = { start: 1_000_000, end: 20_000_000 };
const idle = [0, 2, 0] as const;
const locked = { rank: 0, outPriority: 8, waitReason: WR_RESOURCE, state: WAITING };

/**
 * `shell.exe` has two children. Their exits begin at 10 ms. The second is blocked until the first lets it go at 13 ms. So is
 * the thread of the shell. This thread lets no other thread go.
 */
function exitTrace(): Uint8Array {
  const trace = new TraceWriter().start(range.start, range.start);
  trace.fact(range.start, 'etw.trace', { schema: 1, cpu_count: 2, start_utc_ns: 0, end_ts: range.end });
  trace
    .process(range.start, 'Idle', '', { pid: 0 })
    .process(range.start, 'shell.exe', 'shell.exe /all', { pid: 100, parent_pid: 4, session: 1 })
    .thread(range.start, null, { tid: 101, pid: 100 });
  const child = (ts: number, pid: number, exit_ts: number) =>
    trace
      .process(ts, 'child.exe', '', {
        pid,
        parent_pid: 100,
        session: 1,
        create_ts: ts,
        exit_ts,
        exit_code: 1,
      })
      .thread(ts + 10, null, { tid: pid + 1, pid, create_ts: ts + 10, exit_ts: 10_100_000 });
  child(2_000_000, 200, 14_000_000);
  child(3_000_000, 300, 17_000_000);
  for (const pid of [200, 300])
    trace.genericEvent(10_000_000 + pid, 'Process/Terminate', [pid, pid + 1], 779, { ProcessId: pid });
  return trace
    .contextSwitch(10_050_000, 0, idle, [201, 8, { ...locked, state: TERMINATED }])
    .contextSwitch(10_050_001, 1, idle, [301, 8, locked])
    .contextSwitch(10_150_000, 1, [301, WAITING, WR_RESOURCE], [101, 8, locked])
    .contextSwitch(10_250_000, 1, [101, WAITING, WR_RESOURCE], [0, 0])
    .readyThread(13_000_000, 0, 301, 201)
    .readyThread(13_000_001, 0, 101, 201)
    .contextSwitch(13_010_000, 1, idle, [301, 8, { ...locked, state: TERMINATED }])
    .contextSwitch(14_100_000, 0, [201, TERMINATED, 22], [101, 8, locked])
    .free(14_100_001, 201)
    .free(14_100_002, 200)
    .contextSwitch(15_000_000, 0, [101, WAITING, WR_RESOURCE], [0, 0])
    .contextSwitch(17_100_000, 1, [301, TERMINATED, 22], [0, 0])
    .free(17_100_001, 301)
    .free(17_100_002, 300)
    .fact(range.end, 'etw.end')
    .finish();
}

const query = await queryOf(exitTrace());

async function load(given: Readonly<Record<string, unknown>>) {
  const params = readParams(processes.params, given);
  const model = await processes.load(query, params, range);
  return (await processes.later?.load(query, params, range, model)) ?? model;
}

test('all that is drawn: a parent, two children, and what their exits waited for', async () => {
  const model = await load({});
  const life = { session: 1, services: null, package: null, threads: 1 };
  const made = { depth: 1, name: 'child.exe', parent: 'shell.exe', parent_pid: 100 };
  const child = { ...life, ...made, command_line: null, exit_code: 1 };
  const exit = { begun_by: 'terminate', last_thread_ts: 10_100_000 };
  expect({
    ...model,
    steps: model.steps.filter(({ created, ended }) => created + ended > 0),
  }).toStrictEqual({
    origin_ns: range.start,
    end_ns: range.end,
    unrecorded: null,
    notes: [
      'No services were recorded: which process hosts which service is not known. Record with any kernel session that was stopped in good order (WPR, xperf), on Windows 7 or later.',
    ],
    all: 3,
    processes: [
      {
        ...{ ...life, depth: 0, pid: 100, name: 'shell.exe', parent: null, parent_pid: 4 },
        ...{ command_line: 'shell.exe /all', create_ts: null, exit_ts: null, exit_code: null, exit: null },
      },
      {
        ...{ ...child, pid: 200, create_ts: 2_000_000, exit_ts: 14_000_000 },
        exit: { ...exit, ts: 10_000_200, dur: 3_999_800, tid: 201, wait: null },
      },
      {
        ...{ ...child, pid: 300, create_ts: 3_000_000, exit_ts: 17_000_000 },
        exit: {
          ...{ ...exit, ts: 10_000_300, dur: 6_999_700, tid: 301 },
          wait: {
            ...{ ts: 10_150_000, dur: 2_850_000, reason: 'WrResource' },
            ...{ let_go_by: 'child.exe (tid 201)', before: 'child.exe (pid 200)' },
          },
        },
      },
    ],
    steps: [
      { ts: 1_950_010, dur: 63_334, created: 1, ended: 0, exiting: 0 },
      { ts: 2_963_354, dur: 63_334, created: 1, ended: 0, exiting: 0 },
      { ts: 13_983_470, dur: 63_334, created: 0, ended: 1, exiting: 2 },
      { ts: 16_960_168, dur: 63_334, created: 0, ended: 1, exiting: 1 },
    ],
    has_waits: true,
    queues: [],
    waiters: [
      {
        ...{ thread: 'shell.exe (tid 101)', tid: 101, ts: 10_250_000 },
        ...{ longest_ns: 2_750_001, reason: 'WrResource', waits: 1 },
      },
    ],
  });
  expect(exitSentences(model)).toMatchInlineSnapshot(`
    [
      "The median exit took 7.00 ms, the longest, that of child.exe (pid 300), 7.00 ms.",
    ]
  `);
});

test('processes are asked for by name, id or command line, by how long they lived, and by whether they ended', async () => {
  const pids = async (given: Readonly<Record<string, unknown>>) =>
    (await load(given)).processes.map(({ pid }) => pid);
  expect(await pids({ process: 'CHILD' })).toEqual([200, 300]);
  expect(await pids({ process: '/all' })).toEqual([100]);
  expect(await pids({ process: '300' })).toEqual([300]);
  expect(await pids({ at_most_ms: 12 })).toEqual([200]);
  expect(await pids({ ended: true })).toEqual([200, 300]);
});

test('the bars of creations and ends count them: one in a short step is one, not hundreds a second', async () => {
  const { texts } = stillOf(processes, await load({}), range);
  const legend = ['created in each 63.3 µs (up)', 'gone in each 63.3 µs (down)'];
  expect(texts).toEqual(expect.arrayContaining(legend));
  expect(texts.filter((text) => /^[\d,k]+$/.test(text))).toEqual(['1', '0', '1', '0', '1', '2']);
});

test('the lanes of lifetimes are called as processes are everywhere', async () => {
  const { texts } = stillOf(processes, await load({}), range);
  expect(texts.filter((text) => / \(pid \d+\)$/.test(text))).toEqual(
    expect.arrayContaining(['shell.exe (pid 100)', 'child.exe (pid 300)']),
  );
});

test('a still is one SVG with the numbers in words', async () => {
  const { texts } = stillOf(processes, await load({}), range);
  expect(texts.filter((text) => /within the trace|exit/.test(text))).toMatchInlineSnapshot(`
    [
      "Creations and exits",
      "3 processes: 2 created and 2 gone within the trace.",
      "The median exit took 7.00 ms, the longest, that of child.exe (pid 300), 7.00 ms.",
      "exits under way at once",
      "exiting",
      "blocked as it exits",
    ]
  `);
});

/**
 * A lock that goes to who has waited longest: keeper.exe has it, dwm.exe waits from 9 ms on, and from 10 ms on the exits of 200,
 * 300 and 400, shell.exe between the last two, and csrss.exe behind them; then shell.exe, for 0.2 ms, let go by an exiting one.
 */
function queueTrace(): Uint8Array {
  const trace = new TraceWriter().start(range.start, range.start);
  trace.fact(range.start, 'etw.trace', { schema: 1, cpu_count: 2, start_utc_ns: 0, end_ts: range.end });
  trace.process(range.start, 'Idle', '', { pid: 0 });
  const others = { 500: 'keeper.exe', 600: 'dwm.exe', 700: 'shell.exe', 800: 'csrss.exe' };
  for (const [pid, name] of Object.entries(others))
    trace
      .process(range.start, name, '', { pid: Number(pid) })
      .thread(range.start, null, { tid: Number(pid) + 1, pid: Number(pid) });
  for (const pid of [200, 300, 400])
    trace
      .process(range.start, 'child.exe', '', { pid, exit_ts: 18_000_000 + pid })
      .thread(range.start, null, { tid: pid + 1, pid, exit_ts: 17_000_000 + pid });
  const blocks = (ts: number, tid: number) =>
    trace
      .contextSwitch(ts, 1, idle, [tid, 8, locked])
      .contextSwitch(ts + 5000, 1, [tid, WAITING, WR_RESOURCE], [0, 0]);
  const handOver = (ts: number, from: number, to: number) =>
    trace
      .readyThread(ts, 0, to, from)
      .contextSwitch(ts + 10_000, 0, [from, WAITING, 6], [to, 8, { ...locked, waitReason: 6 }]);
  trace.contextSwitch(8_000_000, 0, idle, [501, 8, { ...locked, waitReason: 6 }]);
  blocks(9_000_000, 601);
  for (const pid of [200, 300, 400])
    trace.genericEvent(10_000_000 + pid, 'Process/Terminate', [pid, pid + 1], 779, { ProcessId: pid });
  [201, 301, 701, 401, 801].forEach((tid, index) => blocks(10_100_000 + index * 10_000, tid));
  const line = [501, 601, 201, 301, 701, 401, 801];
  line.slice(1).forEach((tid, index) => handOver(11_000_000 + index * 1_000_000, line[index] ?? 0, tid));
  blocks(16_500_000, 701);
  return trace
    .contextSwitch(16_600_000, 1, idle, [301, 8, { ...locked, state: TERMINATED }])
    .readyThread(16_700_000, 1, 701, 301)
    .contextSwitch(16_800_000, 1, [301, TERMINATED, 22], [0, 0])
    .fact(range.end, 'etw.end')
    .finish();
}

test('who waits in the queue of exits is listed with that wait, whoever let it go', async () => {
  const ask = await queryOf(queueTrace());
  const params = readParams(processes.params, {});
  const first = await processes.load(ask, params, range);
  const model = (await processes.later?.load(ask, params, range, first)) ?? first;
  expect(model.queues.map(({ exits, reason }) => [exits, reason])).toEqual([[2, 'WrResource']]);
  expect(model.waiters.map(({ thread, ts, longest_ns, waits }) => [thread, ts, longest_ns, waits])).toEqual([
    ['csrss.exe (tid 801)', 10_145_000, 5_855_000, 1],
    ['shell.exe (tid 701)', 10_125_000, 3_875_000, 2],
    ['dwm.exe (tid 601)', 9_005_000, 1_995_000, 1],
  ]);
});
