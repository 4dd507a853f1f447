import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { freezesOf } from './model.ts';
import { frozenProcesses } from './view.ts';
import { frozenWords, meanwhileWords } from './words.ts';

const WAITING = 5;
const whole = { start: 1000, end: 2000 };
const app = { process: 'app.exe', pid: 16, services: null };
const [ui, worker] = [
  { process: 'app.exe', service: null, pid: 16, thread: 'UI', tid: 20 },
  { process: 'app.exe', service: null, pid: 16, thread: null, tid: 21 },
];
const broker = { process: 'svchost.exe', service: null, pid: 8, thread: null, tid: 9 };

/**
 * A broker, thread 9, freezes the app from 1200 to 1400 and readies its thread 20 at 1300; a DPC readies its thread 21
 * at 1350. A game is thawed at 1150, and frozen from 1700 on.
 */
function freezeTrace(): Uint8Array {
  const blocks = { rank: 0, outPriority: 8, waitReason: 6, state: WAITING };
  const trace = new TraceWriter().start(1000, 1000);
  const freeze = (ts: number, id: 11 | 12, pid: number) =>
    trace.genericEvent(ts, 'Microsoft-Windows-Kernel-Process/ProcessFreeze', [8, 9], id, {
      FrozenProcessID: pid,
    });
  trace
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: 2000 })
    .process(1000, 'svchost.exe', '', { pid: 8 })
    .process(1000, 'app.exe', '', { pid: 16 })
    .process(1000, 'game.exe', '', { pid: 32 })
    .thread(1000, null, { tid: 9, pid: 8 })
    .thread(1000, 'UI', { tid: 20, pid: 16 })
    .thread(1000, null, { tid: 21, pid: 16 })
    .contextSwitch(1100, 0, [0, 2, 0], [9, 8, blocks])
    .contextSwitch(1190, 1, [0, 2, 0], [20, 8, blocks]);
  freeze(1150, 12, 32);
  freeze(1200, 11, 16);
  trace
    .contextSwitch(1210, 1, [20, WAITING, 6], [0, 0])
    .readyThread(1300, 0, 20, 9)
    .readyThread(1350, 1, 21, 0);
  freeze(1400, 12, 16);
  trace
    .contextSwitch(1450, 1, [0, 2, 0], [21, 8, blocks])
    .contextSwitch(1460, 1, [21, WAITING, 6], [20, 8, blocks])
    .contextSwitch(1500, 1, [20, WAITING, 6], [0, 0]);
  freeze(1700, 11, 32);
  trace.contextSwitch(1800, 0, [9, WAITING, 6], [0, 0]);
  return trace.fact(2000, 'etw.end').finish();
}

/** A thread of the app runs from 1100 on; the app is frozen from 1200 to 1300 and from 1400 to 1500. */
function runningTrace(): Uint8Array {
  const trace = new TraceWriter()
    .start(1000, 1000)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .process(1000, 'app.exe', '', { pid: 16 })
    .thread(1000, 'UI', { tid: 20, pid: 16 })
    .contextSwitch(1100, 0, [0, 2, 0], [20, 8, { rank: 0, outPriority: 8, waitReason: 6, state: WAITING }]);
  [11, 12, 11, 12].forEach((id, index) =>
    trace.genericEvent(1200 + 100 * index, 'Microsoft-Windows-Kernel-Process/ProcessFreeze', [16, 20], id, {
      FrozenProcessID: 16,
    }),
  );
  return trace.contextSwitch(1900, 0, [20, WAITING, 6], [0, 0]).fact(2000, 'etw.end').finish();
}

const query = await queryOf(freezeTrace());

const load = (given: Readonly<Record<string, unknown>>, range = whole) =>
  frozenProcesses.load(query, readParams(frozenProcesses.params, given), range);

test('all that is drawn: a freeze with both its ends, and one open at each end', async () => {
  const quiet = { readied_threads: 0, first_readied: null, ran_ns: 0, first_run: null };
  const game = { process: 'game.exe', pid: 32, services: null };
  expect(await load({})).toEqual({
    origin_ns: 1000,
    unrecorded: null,
    notes: [],
    freeze_count: 3,
    lanes: [
      {
        ...game,
        frozen_ns: 450,
        freezes: [
          { ts: 1000, dur: 150, ...game, start: 'before_trace', end: 'thawed', frozen_by: null, ...quiet },
          { ts: 1700, dur: 300, ...game, start: 'recorded', end: 'trace_end', frozen_by: broker, ...quiet },
        ],
      },
      {
        ...app,
        frozen_ns: 200,
        freezes: [
          {
            ts: 1200,
            dur: 200,
            ...app,
            start: 'recorded',
            end: 'thawed',
            frozen_by: broker,
            readied_threads: 2,
            first_readied: { ts: 1300, by: broker, thread: ui },
            ran_ns: 10,
            first_run: { ts: 1450, after_ns: 50, thread: worker },
          },
        ],
      },
    ],
  });
});

test('each freeze in words', async () => {
  const model = await load({});
  const words = freezesOf(model).map((freeze) => [frozenWords(freeze, 1000), meanwhileWords(freeze, 1000)]);
  expect(words).toEqual([
    [
      'was frozen before the trace began, until 0.000000 s (at least 150 ns): its threads could not run',
      'None of them was readied meanwhile. None of them ran after the thaw.',
    ],
    [
      'frozen from 0.000000 s to 0.000000 s (200 ns): its threads could not run',
      '2 of them were readied meanwhile, first tid 20 at 0.000000 s by svchost.exe (tid 9). They still ran for 10 ns. First to run was tid 21, 50 ns after the thaw.',
    ],
    [
      'frozen from 0.000001 s on, still frozen when the trace ends (at least 300 ns): its threads could not run',
      'None of them was readied meanwhile.',
    ],
  ]);
});

test('the range and the process filter; of too many freezes the longest are kept', async () => {
  const times = async (given: Readonly<Record<string, unknown>>, range = whole) =>
    freezesOf(await load(given, range)).map(({ ts }) => ts);
  expect(await times({}, { start: 1300, end: 1700 })).toEqual([1200]);
  expect(await times({ process: 'GAME' })).toEqual([1000, 1700]);
  expect(await times({ limit: 2 })).toEqual([1200, 1700]);
  expect((await load({}, { start: 1300, end: 1700 })).lanes[0]?.frozen_ns).toBe(100);
});

const NOT_RECORDED =
  'There were no freezes of processes, or they were not recorded: nothing is known of frozen processes. Record the provider Microsoft-Windows-Kernel-Process with the keyword 0x200 (PROCESS_FREEZE).';

test('a trace without freezes says what would record them', async () => {
  const empty = new TraceWriter()
    .start(1000, 1000)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .finish();
  const ask = await queryOf(empty);
  expect(await frozenProcesses.load(ask, readParams(frozenProcesses.params, {}), whole)).toEqual({
    origin_ns: 1000,
    unrecorded: NOT_RECORDED,
    notes: [NOT_RECORDED],
    freeze_count: 0,
    lanes: [],
  });
});

test('a still is one SVG, with a bar labelled for each freeze that has room', async () => {
  const { texts } = stillOf(frozenProcesses, await load({}), whole);
  expect(texts.slice(1, 3)).toEqual(['Frozen over time', '3 freezes of 2 processes.']);
  expect(texts.filter((text) => /^(frozen (at|\d)|\w+\.exe$|pid)/.test(text))).toEqual([
    'game.exe',
    'pid 32',
    'app.exe',
    'pid 16',
    'frozen at least 300 ns',
    'frozen 200 ns',
  ]);
  expect(texts).toContain('frozen; pointed: since before the trace, or not thawed in it');
});

test('a thread that runs on through two freezes ran in both', async () => {
  const asked = await queryOf(runningTrace());
  const model = await frozenProcesses.load(asked, readParams(frozenProcesses.params, {}), whole);
  expect(freezesOf(model).map(({ ts, dur, ran_ns }) => ({ ts, dur, ran_ns }))).toEqual([
    { ts: 1200, dur: 100, ran_ns: 100 },
    { ts: 1400, dur: 100, ran_ns: 100 },
  ]);
});
