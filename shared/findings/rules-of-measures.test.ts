import { expect, test } from 'vitest';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { found, MS, START } from './testing.ts';

const READY = 1;
const WAITING = 5;
const runs = { rank: 0, outPriority: 8, waitReason: 6, state: WAITING };

/** A trace of `dur` ns on two CPUs with a thread 9 of `hog.exe` and a thread 20 of `app.exe`. */
function traceOf(dur: number): TraceWriter {
  return new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: START + dur })
    .process(START, 'hog.exe', '', { pid: 8 })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, null, { tid: 9, pid: 8 })
    .thread(START, 'UI', { tid: 20, pid: 16 });
}

test('preemption: a fifth of the recording, of a thread of priority 8 or more', async () => {
  const taken = (hog_ms: number, priority: number) => {
    const trace = traceOf(1000 * MS).contextSwitch(START + MS, 0, [0, 2, 0], [20, priority, runs]);
    for (let turn = 0; turn < 2; turn++) {
      const ts = START + (100 + 400 * turn) * MS;
      trace
        .contextSwitch(ts, 0, [20, READY, 32], [9, 12, { ...runs, outPriority: 12 }])
        .contextSwitch(ts + hog_ms * MS, 0, [9, WAITING, 6], [20, priority, runs]);
    }
    return trace.contextSwitch(START + 900 * MS, 0, [20, WAITING, 6], [0, 0]);
  };
  const run = (trace: TraceWriter) => found('preemption', trace, START + 1000 * MS);
  expect(await run(taken(100, 8))).toEqual([
    [
      0.2,
      'hog.exe (tid 9) took the CPU of app.exe (tid 20, UI) 2 times, which was ready for 200 ms in all until it ran again; in the longest, of 100 ms, priority 12 put priority 8 aside, rank 0 put rank 0 aside.',
    ],
  ]);
  expect(await run(taken(99, 8))).toEqual([]);
  expect(await run(taken(100, 7))).toEqual([]);
});

test('migration: 2,000 changes of the CPU in a second', async () => {
  const moving = (moves: number, other = 1) => {
    const trace = traceOf(1000 * MS);
    for (let move = 0; move <= moves; move++) {
      const ts = START + 1000 + move * 400_000;
      const cpu = (move % 2) * other;
      trace
        .contextSwitch(ts, cpu, [0, 2, 0], [20, 8, runs])
        .contextSwitch(ts + 100_000, cpu, [20, WAITING, 6], [0, 0]);
    }
    return trace;
  };
  for (const other of [1, 32, 100])
    expect(await found('migration', moving(2000, other), START + 1000 * MS)).toEqual([
      [
        0.01,
        'app.exe (tid 20, UI) changed its CPU 2,000 times in 2,001 runs within 1.000 s, on 2 processors; it ran for 200 ms of it.',
      ],
    ]);
  expect(await found('migration', moving(1999), START + 1000 * MS)).toEqual([]);
});

test('bimodal waits: long ones of 1 s together, and none between', async () => {
  /** 60 waits. Every third wait is long, and one is between if so wished. */
  const waiting = (long_ms: number, between_ms: number | null) => {
    const trace = traceOf(7000 * MS);
    for (let wait = 0; wait < 60; wait++) {
      const ts = START + MS + wait * 110 * MS;
      const middle = wait === 1 ? between_ms : null;
      const dur = middle === null ? (wait % 3 === 0 ? long_ms * MS : MS / 10) : middle * MS;
      trace
        .readyThread(ts, 1, 20, 0)
        .contextSwitch(ts + dur, 0, [0, 2, 0], [20, 8, runs])
        .contextSwitch(ts + 100 * MS, 0, [20, WAITING, 6], [0, 0]);
    }
    return trace;
  };
  const run = (trace: TraceWriter) => found('bimodal-waits', trace, START + 7000 * MS);
  expect(await run(waiting(50, null))).toEqual([
    [
      1,
      'app.exe (tid 20, UI) was ready 60 times: 20 times for about 50.0 ms, else for about 100 µs; none took between 100 µs and 50.0 ms. The long ones take 1.000 s in all.',
    ],
  ]);
  expect(await run(waiting(49, null))).toEqual([]);
  // The wait between is among the long ones, and too short for them.
  expect(await run(waiting(50, 8))).toEqual([]);
});

test('blame above a bound: others waited for half of the recording', async () => {
  /** Thread 20 waits for thread 9, which runs all the time, for so long. */
  const waited = (ms: number) =>
    traceOf(1000 * MS)
      .contextSwitch(START + MS, 0, [0, 2, 0], [20, 8, runs])
      .contextSwitch(START + 2 * MS, 0, [20, WAITING, 6], [9, 8, runs])
      .readyThread(START + (2 + ms) * MS, 0, 20, 9)
      .contextSwitch(START + 900 * MS, 0, [9, WAITING, 6], [20, 8, runs])
      .contextSwitch(START + 910 * MS, 0, [20, WAITING, 6], [0, 0]);
  const run = (trace: TraceWriter) => found('blame-above-bound', trace, START + 1000 * MS);
  expect(await run(waited(500))).toEqual([
    [
      0.5,
      'hog.exe (tid 9) ran or was ready while others waited 500 ms for it, all waits together; it used 898 ms of CPU time, and set threads free 1 time.',
    ],
  ]);
  expect(await run(waited(499))).toEqual([]);
});

test('slow disk: one transfer in twenty takes 20 ms', async () => {
  /** Twenty transfers. The last two take so long. */
  const disk = (dur_ns: number) => {
    const trace = traceOf(1000 * MS);
    for (let at = 0; at < 20; at++) {
      const HighResResponseTime_ns = at < 18 ? MS : dur_ns;
      const fields = { DiskNumber: 1, ByteOffset: 0, TransferSize: 4096, IrpFlags: 0, IssuingThreadId: 20 };
      trace.ioEvent(START + 40 * (at + 1) * MS, 'DiskIo/Read', [16, 20], {
        ...fields,
        HighResResponseTime_ns,
      });
    }
    return found('slow-disk', trace, START + 1000 * MS);
  };
  expect(await disk(20 * MS)).toEqual([
    [
      0.04,
      'Disk 1 took 20.0 ms or more for one in twenty of 20 transfers, 20.0 ms for the longest; app.exe (tid 20, UI) waited most, 58.0 ms in all.',
    ],
  ]);
  expect(await disk(20 * MS - 1)).toEqual([]);
});
