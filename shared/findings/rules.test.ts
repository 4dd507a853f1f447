import { expect, test } from 'vitest';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { found, MS, START } from './testing.ts';

const WAITING = 5;
const waits = { rank: 0, outPriority: 8, waitReason: 6, state: WAITING };

/** A trace of `dur` ns with these processes, by pid. */
function traceOf(dur: number, processes: Readonly<Record<number, string>>, cpu_count = 1): TraceWriter {
  const trace = new TraceWriter().start(START, START);
  trace.fact(START, 'etw.trace', { schema: 1, cpu_count, end_ts: START + dur });
  for (const [pid, name] of Object.entries(processes)) trace.process(START, name, '', { pid: Number(pid) });
  return trace;
}

/** A thread of a rank, and perhaps of another one in a run before. */
interface HeldUp {
  readonly rank_before?: number;
  readonly rank: number;
  readonly priority: number;
  readonly hog: number;
}

/** A thread is ready for so long while a hog runs on the only CPU. */
function heldUp(ready_ms: number, { rank, rank_before = rank, priority, hog }: HeldUp) {
  return traceOf(300 * MS, { 8: 'hog.exe', 16: 'app.exe' })
    .thread(START, null, { tid: 9, pid: 8 })
    .thread(START, 'UI', { tid: 20, pid: 16 })
    .contextSwitch(START + 1, 0, [0, 2, 0], [20, priority, { ...waits, rank: rank_before }])
    .contextSwitch(START + MS, 0, [20, WAITING, 6], [9, hog, { ...waits, outPriority: hog }])
    .readyThread(START + 10 * MS, 0, 20, 9)
    .contextSwitch(START + (10 + ready_ms) * MS, 0, [9, WAITING, 6], [20, priority, { ...waits, rank }])
    .contextSwitch(START + 250 * MS, 0, [20, WAITING, 6], [0, 0]);
}

test('rank starvation: held up by rank alone for 100 ms', async () => {
  const run = (trace: TraceWriter) => found('rank-starvation', trace, START + 300 * MS);
  expect(await run(heldUp(100, { rank: 2, priority: 14, hog: 4 }))).toEqual([
    [
      0.1,
      'app.exe (tid 20, UI) was ready for 100 ms at rank 2 and priority 14, while threads of a better rank and a lower priority ran for at least 99.0 ms of CPU time.',
    ],
  ]);
  expect(await run(heldUp(100, { rank_before: 2, rank: 0, priority: 14, hog: 4 }))).toEqual([
    [
      0.1,
      'app.exe (tid 20, UI) was ready for 100 ms at rank 2 and priority 14 (rank 0 at the end of its next run), while threads of a better rank and a lower priority ran for at least 99.0 ms of CPU time.',
    ],
  ]);
  // Its rank got worse once it ran: it waited for a higher priority.
  expect(await run(heldUp(100, { rank_before: 0, rank: 2, priority: 14, hog: 15 }))).toEqual([]);
  expect(await run(heldUp(99, { rank: 2, priority: 14, hog: 4 }))).toEqual([]);
  expect(await run(heldUp(100, { rank: 2, priority: 14, hog: 14 }))).toEqual([]);
});

test('long ready wait: 100 ms at rank 0, of a thread of normal priority', async () => {
  const run = (trace: TraceWriter) => found('long-ready-wait', trace, START + 300 * MS);
  expect(await run(heldUp(100, { rank: 0, priority: 8, hog: 9 }))).toEqual([
    [0.1, 'app.exe (tid 20, UI) was ready for 100 ms at priority 8 before it ran.'],
  ]);
  expect(await run(heldUp(99, { rank: 0, priority: 8, hog: 9 }))).toEqual([]);
  expect(await run(heldUp(100, { rank: 0, priority: 7, hog: 9 }))).toEqual([]);
  expect(await run(heldUp(100, { rank: 1, priority: 8, hog: 9 }))).toEqual([]);
});

test('long ready wait: those of one thread are one finding', async () => {
  const waited = (times: number) => {
    const trace = heldUp(100, { rank: 0, priority: 8, hog: 9 });
    for (let time = 0; time < times; time++) {
      const ts = START + (300 + 200 * time) * MS;
      trace
        .contextSwitch(ts, 0, [0, 2, 0], [9, 9, waits])
        .readyThread(ts + MS, 0, 20, 9)
        .contextSwitch(ts + 121 * MS, 0, [9, WAITING, 6], [20, 8, waits])
        .contextSwitch(ts + 130 * MS, 0, [20, WAITING, 6], [0, 0]);
    }
    return found('long-ready-wait', trace, START + 300 * MS);
  };
  const sentence = 'app.exe (tid 20, UI) was ready for 120 ms at priority 8 before it ran; with';
  expect(await waited(1)).toEqual([[0.22, `${sentence} 1 more such wait, 220 ms in all.`]]);
  expect(await waited(2)).toEqual([[0.34, `${sentence} 2 more such waits, 340 ms in all.`]]);
});

/** Thread 9 readies so many threads, 20 µs apart, which run one after the other for 20 ms each on the only CPU. */
function crowd(threads: number): TraceWriter {
  const trace = traceOf(1000 * MS, { 8: 'hog.exe', 16: 'a.exe', 32: 'b.exe' }).thread(START, null, {
    tid: 9,
    pid: 8,
  });
  const tids = Array.from({ length: threads }, (_, index) => 100 + index);
  for (const tid of tids) trace.thread(START, null, { tid, pid: tid % 2 === 0 ? 16 : 32 });
  trace.contextSwitch(START + MS, 0, [0, 2, 0], [9, 9, waits]);
  tids.forEach((tid, index) => trace.readyThread(START + 10 * MS + index * 20_000, 0, tid, 9));
  let before: [number, number, number] = [9, WAITING, 6];
  tids.forEach((tid, index) => {
    trace.contextSwitch(START + (115 + 20 * index) * MS, 0, before, [tid, 8, waits]);
    before = [tid, WAITING, 6];
  });
  return trace.contextSwitch(START + 900 * MS, 0, before, [0, 0]);
}

test('long ready wait: those of many threads that one thread readied together are one finding', async () => {
  expect(await found('long-ready-wait', crowd(30), START + 1000 * MS)).toEqual([
    [
      0.68442,
      'b.exe (tid 129) was ready for 684 ms at priority 8 before it ran; so were 29 more threads, of 2 processes in all, which hog.exe (tid 9) readied with it within 580 µs.',
    ],
  ]);
  expect(await found('long-ready-wait', crowd(9), START + 1000 * MS)).toHaveLength(9);
});

/** Threads that block one after the other, and are set free 1.5 s later, each 10 µs or so after the one before, by thread 9. */
function release(
  threads: number,
  releaser = 'locker.exe',
  sub_process_tag = 0,
  /** When it is the turn of the next one, after `ts`. */
  next: (ts: number, index: number, trace: TraceWriter) => number = (ts) => ts + 10_000,
): TraceWriter {
  const trace = traceOf(2000 * MS, { 8: releaser, 16: 'a.exe', 32: 'b.exe' }).thread(START, null, {
    tid: 9,
    pid: 8,
    sub_process_tag,
  });
  const tids = Array.from({ length: threads }, (_, index) => 100 + index);
  for (const tid of tids) trace.thread(START, null, { tid, pid: tid % 2 === 0 ? 16 : 32 });
  let ts = START + MS;
  let before: [number, number, number] = [0, 2, 0];
  for (const tid of [...tids, 9]) {
    trace.contextSwitch(ts, 0, before, [tid, 8, waits]);
    before = [tid, WAITING, 6];
    ts += 1000;
  }
  ts += 1500 * MS;
  tids.forEach((tid, index) => {
    ts = next(ts, index, trace);
    trace.readyThread(ts, 0, tid, 9);
  });
  return trace.contextSwitch(ts + MS, 0, before, [0, 0]);
}

test('release moment: ten threads at once', async () => {
  expect(await found('release-moment', release(10), START + 2000 * MS)).toEqual([
    [
      1.500101,
      'locker.exe (tid 9) set 10 threads of 2 processes free within 90.0 µs; the longest of them had been blocked for 1.500 s.',
    ],
  ]);
  expect(await found('release-moment', release(9), START + 2000 * MS)).toEqual([]);
});

test('release moment: what one thread releases without a pause of 1 ms is one, wherever it begins and however long it takes', async () => {
  const sentences = async (next: Parameters<typeof release>[3]) => {
    const findings = await found('release-moment', release(40, 'locker.exe', 0, next), START + 2000 * MS);
    return findings.map(([, sentence]) => sentence.replace(/;.*/, ''));
  };
  expect(await sentences((ts) => ts + 17_000)).toEqual([
    'locker.exe (tid 9) set 40 threads of 2 processes free within 663 µs',
  ]);
  expect(await sentences((ts) => ts + 900_000)).toEqual([
    'locker.exe (tid 9) set 40 threads of 2 processes free within 35.1 ms',
  ]);
  expect(await sentences((ts, index) => ts + (index === 25 ? 1_000_000 : 10_000))).toEqual([
    'locker.exe (tid 9) set 15 threads of 2 processes free within 140 µs',
    'locker.exe (tid 9) set 25 threads of 2 processes free within 240 µs',
  ]);
  const PREEMPTED = 1;
  const kept = (ts: number, index: number, trace: TraceWriter) => {
    if (index !== 25) return ts + 10_000;
    trace
      .contextSwitch(ts + 10_000, 0, [9, PREEMPTED, 32], [100, 8, waits])
      .contextSwitch(ts + 20 * MS, 0, [100, WAITING, 6], [9, 8, waits]);
    return ts + 20 * MS + 10_000;
  };
  expect(await sentences(kept)).toEqual([
    'locker.exe (tid 9) set 40 threads of 2 processes free within 20.4 ms',
  ]);
});

test('release moment: threads were blocked since before the trace, unless one ran as it began', async () => {
  /** Ten threads are set free after 1.5 s; one of them runs until `left_ms`, or is blocked with the others. */
  const sinceStart = (left_ms: number | null) => {
    const trace = traceOf(2000 * MS, { 8: 'locker.exe', 16: 'a.exe' });
    trace.thread(START, null, { tid: 9, pid: 8 });
    const tids = Array.from({ length: 10 }, (_, index) => 100 + index);
    for (const tid of tids) trace.thread(START, null, { tid, pid: 16 });
    if (left_ms === null) trace.contextSwitch(START + MS, 0, [0, 2, 0], [9, 8, waits]);
    else trace.contextSwitch(START + left_ms * MS, 0, [100, WAITING, 6], [9, 8, waits]);
    tids.forEach((tid, index) => trace.readyThread(START + 1500 * MS + index * 10_000, 0, tid, 9));
    return trace.contextSwitch(START + 1600 * MS, 0, [9, WAITING, 6], [0, 0]);
  };
  const run = (trace: TraceWriter) => found('release-moment', trace, START + 2000 * MS);
  const sentence =
    'locker.exe (tid 9) set 10 threads of 1 process free within 90.0 µs; the longest of them had been blocked for 1.500 s.';
  expect(await run(sinceStart(null))).toEqual([[1.50009, sentence]]);
  expect(await run(sinceStart(500))).toEqual([[1.50009, sentence]]);
  expect(await run(sinceStart(501))).toEqual([]);
});

test('release moment: the service that a thread of a shared process works for is named', async () => {
  const trace = release(10, 'svchost.exe', 61).genericEvent(
    START + MS,
    'SysConfig/Services',
    [4, 5],
    0x0b0f,
    {
      ServiceName: 'Winmgmt',
      DisplayName: 'Windows Management Instrumentation',
      ProcessId: 8,
      SubProcessTag: 61,
      ServiceState: 'Running',
    },
  );
  const [[, sentence] = []] = await found('release-moment', trace, START + 2000 * MS);
  expect(sentence).toBe(
    'svchost.exe Winmgmt (tid 9) set 10 threads of 2 processes free within 90.0 µs; the longest of them had been blocked for 1.500 s.',
  );
});

/** An app with the focus from 200 ms on, frozen from 100 ms until `thaw_ms`. */
function freeze(thaw_ms: number): TraceWriter {
  const trace = traceOf(1000 * MS, { 8: 'svchost.exe', 16: 'app.exe' }).thread(START, null, {
    tid: 9,
    pid: 8,
  });
  const provider = 'Microsoft-Windows-Kernel-Process/ProcessFreeze';
  return trace
    .genericEvent(START + 100 * MS, provider, [8, 9], 11, { FrozenProcessID: 16 })
    .genericEvent(START + 200 * MS, 'Microsoft-Windows-Win32k/FocusChange', [8, 9], 26, {
      SessionId: 1,
      OldProcessId: 0,
      NewProcessId: 16,
    })
    .genericEvent(START + thaw_ms * MS, provider, [8, 9], 12, { FrozenProcessID: 16 });
}

test('frozen while in focus, for 100 ms', async () => {
  expect(await found('freeze-in-focus', freeze(300), START + 1000 * MS)).toEqual([
    [0.1, 'app.exe (pid 16) had the focus and was frozen for 100 ms of it, by svchost.exe (tid 9).'],
  ]);
  expect(await found('freeze-in-focus', freeze(299), START + 1000 * MS)).toEqual([]);
});

test('lost events: each kind of gap', async () => {
  const whole = () => traceOf(1000 * MS, {}, 4);
  const gaps = whole()
    .fact(START + MS, 'etw.loss', { kind: 'lost_buffers', cpu: 1, dur_ns: 40 * MS, count: 2, message: '' })
    .fact(START + 90 * MS, 'etw.loss', {
      kind: 'lost_buffers',
      cpu: 2,
      dur_ns: 40 * MS,
      count: 3,
      message: '',
    })
    .fact(START + 99 * MS, 'etw.loss', { kind: 'truncated', message: '' });
  const counted = { kind: 'lost_events', dur_ns: 1000 * MS, count: 7, message: '' };
  expect(await found('lost-events', gaps, START + 1000 * MS)).toEqual([
    [0.02, '2 × buffers dropped: 5 lost in all, 80.0 ms of gaps.'],
    [0, '1 × end cut off with the file; how long nothing was recorded is not known.'],
  ]);
  // Counted by the file's header: it is not known when.
  expect(await found('lost-events', whole().fact(START, 'etw.loss', counted), START + 1000 * MS)).toEqual([
    [0, '1 × events dropped: 7 lost in all; how long nothing was recorded is not known.'],
  ]);
  expect(await found('lost-events', whole(), START + 1000 * MS)).toEqual([]);
});

/** Two threads take turns, so often within 100 ms. */
function turns(switches: number): TraceWriter {
  const trace = traceOf(100 * MS, { 8: 'server.exe' })
    .thread(START, null, { tid: 9, pid: 8 })
    .thread(START, null, { tid: 10, pid: 8 });
  for (let index = 0; index < switches; index += 1) {
    const ts = START + 1000 + index * 9000;
    const before: [number, number, number] = index === 0 ? [0, 2, 0] : [index % 2 === 0 ? 10 : 9, WAITING, 6];
    trace.contextSwitch(ts, 0, before, [index % 2 === 0 ? 9 : 10, 8]);
    if (index % 1000 === 999) trace.flush(ts);
  }
  return trace;
}

test('context switch storm: above 100,000 a second', async () => {
  expect(await found('switch-storm', turns(10_001), START + 100 * MS)).toEqual([
    [
      0.1,
      'Up to 100,010 context switches a second, 10,001 within 100 ms; server.exe (tid 9) was switched in most, 50.0 % of the time.',
    ],
  ]);
  expect(await found('switch-storm', turns(10_000), START + 100 * MS)).toEqual([]);
});

/** Processes that end at one lock: each wakes the next one's thread, and ends. */
function exits(processes: number): TraceWriter {
  const trace = traceOf(2000 * MS, {});
  const at = (index: number) => START + 100 * MS + index * 10 * MS;
  const tids = Array.from({ length: processes }, (_, index) => 101 + index * 4);
  tids.forEach((tid, index) => {
    const exit_ts = at(index) + 9 * MS;
    trace
      .process(START, `test${index}.exe`, '', { pid: tid - 1, exit_ts: exit_ts + 1000 })
      .thread(START, null, { tid, pid: tid - 1, exit_ts });
  });
  let before: [number, number, number] = [0, 2, 0];
  tids.forEach((tid, index) => {
    trace.contextSwitch(START + MS + index * 1000, 0, before, [tid, 8, waits]);
    before = [tid, WAITING, 6];
  });
  for (const tid of tids) {
    trace.genericEvent(START + 2 * MS, 'Process/Terminate', [tid - 1, 0], 0x30b, { ProcessId: tid - 1 });
  }
  tids.forEach((tid, index) => {
    trace.contextSwitch(at(index), 0, before, [tid, 8, { ...waits, state: 4 }]);
    const next = tids[index + 1];
    if (next !== undefined) trace.readyThread(at(index) + 8 * MS, 0, next, tid);
    before = [tid, 4, 0];
  });
  return trace.contextSwitch(at(processes), 0, before, [0, 0]);
}

test('serialised exits: ten that were let go by the one before', async () => {
  expect(await found('serialised-exits', exits(11), START + 2000 * MS)).toEqual([
    [
      0.207001,
      '10 processes ended one at a time within 207 ms, 20.7 ms each: every one waited (UserRequest) until the one before let it go. The last was test10.exe (pid 140).',
    ],
  ]);
  expect(await found('serialised-exits', exits(10), START + 2000 * MS)).toEqual([]);
});

/** A process that makes 80 threads, the nth `cost(n)` µs after the one before. */
function creations(cost: (index: number) => number): TraceWriter {
  const trace = traceOf(10_000 * MS, { 8: 'csrss.exe' });
  let ts = START + MS;
  for (let index = 0; index < 80; index += 1) {
    ts += cost(index) * 1000;
    trace.thread(ts, null, { tid: 100 + index * 4, pid: 8, create_ts: ts });
  }
  return trace;
}

test('cost that grows: the last eighth three times the first', async () => {
  const run = (cost: (index: number) => number) =>
    found('growing-cost', creations(cost), START + 10_000 * MS);
  expect(await run((index) => 100 + 10 * index)).toEqual([
    [0.02765, '80 threads were made in csrss.exe (pid 8): 150 µs each at first, 845 µs each at last.'],
  ]);
  expect(await run((index) => 100 + 2.5 * index)).toEqual([]);
  expect(await run((index) => (index === 75 ? 100_000 : 100))).toEqual([]);
});

test('long interrupt: a DPC or an ISR of 1 ms, by routine', async () => {
  const interrupts = (dur: number) =>
    traceOf(100 * MS, {})
      .fact(START, 'etw.interrupt_source', {
        source: 1,
        kind: 'dpc',
        routine: 0x5010,
        module: '\\Windows\\System32\\drivers\\ndis.sys',
        rva: 0x10,
      })
      .fact(START, 'etw.interrupt_source', { source: 2, kind: 'isr', routine: 0x9000 })
      .fact(START, 'etw.interrupt_source', { source: 3, kind: 'threaded_dpc', routine: 0x9900 })
      .interrupt(START + 10 * MS, 3, 1, dur)
      .interrupt(START + 20 * MS, 2, 1, 2 * dur)
      .interrupt(START + 30 * MS, 0, 2, dur)
      .interrupt(START + 40 * MS, 0, 3, dur);
  expect(await found('long-interrupt', interrupts(MS), START + 100 * MS)).toEqual([
    [0.003, 'A DPC of ndis.sys+0x10 held CPU 2 for 2.00 ms; with 1 more above the bound, 3.00 ms in all.'],
    [0.001, 'An ISR of an unknown driver held CPU 0 for 1.00 ms.'],
  ]);
  expect(await found('long-interrupt', interrupts(MS / 2 - 1), START + 100 * MS)).toEqual([]);
});
