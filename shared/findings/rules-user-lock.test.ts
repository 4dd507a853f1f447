import { expect, test } from 'vitest';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { findIn, found, MS, START } from './testing.ts';
import { shippedRules } from './index.ts';

const END = START + 1000 * MS;
/** Ticks of the performance counter a ms. */
const TICKS = 10_000;
const APP = [16, 20] as const;
const OTHER = [16, 24] as const;
const HOLDER = [8, 9] as const;
const SECOND = [8, 10] as const;

/** Two threads of an app and two of a holder; the clock is the performance counter, unless said otherwise. */
function traced(clock = 'qpc'): TraceWriter {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: END, clock, clock_hz: TICKS * 1000 })
    .process(START, 'holder.exe', '', { pid: 8 })
    .process(START, 'app.exe', '', { pid: 16 });
  for (const [pid, tid] of [APP, OTHER, HOLDER, SECOND]) trace.thread(START, null, { tid, pid });
  return trace;
}

type Thread = readonly [number, number];

const released = (trace: TraceWriter, at_ms: number, thread: Thread, held_ms: number) =>
  trace.genericEvent(START + at_ms * MS, 'Microsoft-Windows-Win32k/ReleaseUserCrit', thread, 167, {
    HoldQpcCounts: held_ms * TICKS,
    HoldTimeMs: 0,
  });

const acquired = (trace: TraceWriter, at_ms: number, thread: Thread, waited_ms: number, id = 163) =>
  trace.genericEvent(START + at_ms * MS, 'Microsoft-Windows-Win32k/ExclusiveUserCrit', thread, id, {
    AcquireQpcCounts: waited_ms * TICKS,
    AcquireTimeMs: 0,
  });

const run = (trace: TraceWriter) => found('user-lock-contention', trace, END);

test('user lock contention: a wait of 100 ms, half of it while one thread held the lock', async () => {
  /** Two threads wait until 200 ms, to which two others held the lock, the one after the other. */
  const waits = (wait_ms: number, last_ms: number) => {
    const trace = traced().contextSwitch(START + 150 * MS, 0, [0, 2, 0], [9, 8]);
    released(trace, 200 - last_ms, SECOND, 100);
    trace.contextSwitch(START + 180 * MS, 0, [9, 5, 6], [0, 0]);
    released(trace, 200, HOLDER, last_ms);
    acquired(trace, 200, APP, wait_ms);
    released(trace, 201, APP, 1);
    return acquired(trace, 201, OTHER, 60, 165);
  };
  expect(await run(waits(100, 60))).toEqual([
    [
      0.06,
      'holder.exe (tid 9) held the user lock while 1 thread waited 60.0 ms for it; the longest wait, of app.exe (tid 20), took 100 ms, in which the holder ran for 30.0 ms.',
    ],
  ]);
  expect(await run(waits(99, 60))).toEqual([]);
  const both = await run(waits(100, 50));
  expect(both.map(([lost]) => lost)).toEqual([0.05, 0.05]);
  expect((await run(waits(100, 49))).map(([lost, words]) => [lost, words.slice(0, 19)])).toEqual([
    [0.051, 'holder.exe (tid 10)'],
  ]);
});

test('what the process in focus waited is what the user lost; and what the holder did is told', async () => {
  const modules = [['\\Windows\\System32\\win32kfull.sys', 0x1000, 0x9000]] as const;
  const trace = traced()
    .genericEvent(START, 'Microsoft-Windows-Win32k/FocusedProcessChange', HOLDER, 26, {
      SessionId: 1,
      OldProcessId: 0,
      NewProcessId: 16,
    })
    .beginSamples(START + MS, modules, [[0, 0x1000, 'xxxDestroyWindow']], [[0]]);
  trace.sample(START + 100 * MS, 0, [8, 9], { stack: 0, isKernel: true, value: 10_000 * 2 ** 16 });
  released(trace, 400, HOLDER, 400);
  acquired(trace, 400, APP, 150);
  acquired(trace, 400, OTHER, 400);
  acquired(trace, 400, SECOND, 300);
  expect(await run(trace)).toEqual([
    [
      0.55,
      'holder.exe (tid 9) held the user lock while 3 threads waited 850 ms for it, 550 ms of it in the process in focus; the longest wait, of app.exe (tid 24), took 400 ms, most often in xxxDestroyWindow.',
    ],
  ]);
});

test('without the performance counter as clock, the lengths of the events for telemetry count, in ms', async () => {
  const trace = traced('system_time');
  const telemetry = (id: number, thread: Thread, fields: Readonly<Record<string, number>>) =>
    trace.genericEvent(START + 300 * MS, 'Microsoft-Windows-Win32k/Telemetry', thread, id, fields);
  telemetry(417, HOLDER, { HoldQpcCounts: 0, HoldTimeMs: 250 });
  telemetry(416, APP, { AcquireQpcCounts: 0, AcquireTimeMs: 200 });
  expect((await run(trace)).map(([lost]) => lost)).toEqual([0.2]);
});

test('without the events of the lock the rule says what records them', async () => {
  const rule = shippedRules.filter(({ name }) => name === 'user-lock-contention.sql');
  const { not_checked } = await findIn(traced(), END, rule);
  const record = 'the provider Microsoft-Windows-Win32k with the keyword 0x0200000010000000';
  expect(not_checked).toEqual([
    { id: 'user-lock-contention', title: 'User lock contention', needs: [record] },
  ]);
});
