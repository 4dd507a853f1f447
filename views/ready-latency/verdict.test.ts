import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter, type RunSample } from '../../shared/engine/testing/trace-writer.ts';
import { findWait, judgeChosen, NO_CPU_TIME } from '../../shared/ready-waits/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { loadWithMeanwhile } from './testing.ts';
import { readyLatency } from './view.ts';

const START = 1_000_000_000;
const ms = (count: number) => START + count * 1e6;
const WAITER = 20;
const [READY, WAITING] = [1, 5];
const USER_REQUEST = 6;

/** A run on CPU 0: its thread (0: idle), when it begins, its priority and its rank. */
type Run = readonly [tid: number, from: number, priority: number, rank: number];

/**
 * A trace of one CPU, on which thread 20 is readied at 10 ms, perhaps again at `again`, and switched in at `ran` at priority 8 and a
 * rank.
 */
function traceOf(
  others: readonly Run[],
  ran: number,
  rank: number,
  sample: RunSample = {},
  again: number | null = null,
): Uint8Array {
  const trace = new TraceWriter().start(START, 1_700_000_000_000_000_000);
  trace
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: ms(200) })
    .process(START, 'app.exe', 'app.exe', { pid: 16 })
    .thread(START, null, { tid: WAITER, pid: 16 })
    .thread(START, null, { tid: 31, pid: 16 })
    .thread(START, null, { tid: 32, pid: 16 });
  const waiter: Run = [WAITER, ran, 8, rank];
  const end: Run = [0, ms(190), 0, 0];
  let before = 0;
  let readied = false;
  for (const [tid, from, priority, runRank] of [...others, waiter, end]) {
    if (!readied && from > ms(10)) {
      trace.readyThread(ms(10), 0, WAITER, 0);
      if (again !== null) trace.readyThread(again, 0, WAITER, 0);
      readied = true;
    }
    const old = [before, before === 0 ? READY : WAITING, USER_REQUEST] as const;
    const written: RunSample = { rank: runRank, outPriority: priority, state: WAITING, waitReason: 6 };
    if (tid === 0) trace.contextSwitch(from, 0, old, [0, 0]);
    else {
      const own = tid === WAITER ? sample : {};
      trace.contextSwitch(from, 0, old, [tid, priority, { ...written, ...own }]);
    }
    before = tid;
  }
  return trace.fact(ms(200), 'etw.end').finish();
}

/** The verdict on thread 20's wait, and the estimate that the table shows. */
async function verdictOn(trace: Uint8Array) {
  const query = await queryOf(trace);
  const range = { start: START, end: ms(200) };
  const listed = await readyLatency.load(query, readParams(readyLatency.params, { thread: '20' }), range);
  const chosen = { wait_ts: ms(10), wait_tid: WAITER };
  const { meanwhile } = await loadWithMeanwhile(query, readParams(readyLatency.params, chosen), range);
  return { listed: listed.waits.map(({ why_late }) => why_late), ...meanwhile?.verdict };
}

test('rank: what ran had a lower priority and a better rank', async () => {
  const others: Run[] = [
    [31, ms(1), 4, 0],
    [32, ms(50), 9, 0],
    [31, ms(60), 4, 0],
  ];
  expect(await verdictOn(traceOf(others, ms(110), 2))).toEqual({
    listed: ['rank'],
    main: 'rank',
    shares: [
      { why: 'rank', ns: 90_000_000 },
      { why: 'priority', ns: 10_000_000 },
    ],
    cpu_ns: { ...NO_CPU_TIME, better_rank: 90_000_000, priority: 10_000_000 },
    usable_cpus: null,
    one_in: 1,
    sentence:
      'Rank is why: for 90.0 ms (90.0 % of the wait) the one CPU ran threads that went first, at least one of them by its better rank alone, at a priority below 8. The rest: priority 10.0 %.',
  });
});

test('priority: what ran had the same or a higher one', async () => {
  const others: Run[] = [
    [31, ms(1), 8, 0],
    [32, ms(50), 12, 0],
  ];
  expect(await verdictOn(traceOf(others, ms(110), 0))).toEqual({
    listed: ['priority'],
    main: 'priority',
    shares: [{ why: 'priority', ns: 100_000_000 }],
    cpu_ns: { ...NO_CPU_TIME, priority: 100_000_000 },
    usable_cpus: null,
    one_in: 1,
    sentence:
      'Priority is why: for 100 ms (100.0 % of the wait) the one CPU ran threads of priority 8 or higher and no worse rank.',
  });
});

test('swapped out: the CPU was free, and its stack had to be read in', async () => {
  const others: Run[] = [[31, ms(1), 4, 0]];
  expect(await verdictOn(traceOf(others, ms(30), 0, { readyFlags: 2 }))).toEqual({
    listed: ['swapped_out'],
    main: 'swapped_out',
    shares: [{ why: 'swapped_out', ns: 20_000_000 }],
    cpu_ns: { ...NO_CPU_TIME, behind: 20_000_000 },
    usable_cpus: null,
    one_in: 1,
    sentence:
      'Swapping is why: its kernel stack or process was not in memory when it was readied, and had to be read in first. That took 20.0 ms (100.0 % of the wait).',
  });
});

test('the wait of a thread that is known by its switches alone can be chosen', async () => {
  const trace = new TraceWriter()
    .start(START, 1_700_000_000_000_000_000)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: ms(200) })
    .contextSwitch(ms(1), 0, [0, READY, 0], [31, 12, { rank: 0, outPriority: 12, state: WAITING }])
    .readyThread(ms(10), 0, WAITER, 31)
    .contextSwitch(ms(30), 0, [31, WAITING, 6], [WAITER, 8, { rank: 0, outPriority: 8, state: WAITING }])
    .contextSwitch(ms(40), 0, [WAITER, WAITING, 6], [0, 0])
    .fact(ms(200), 'etw.end');
  const query = await queryOf(trace);
  const load = (given: Readonly<Record<string, unknown>>) =>
    loadWithMeanwhile(query, readParams(readyLatency.params, given), { start: START, end: ms(200) });
  const [wait] = (await load({})).waits;
  expect([wait?.ts, wait?.tid]).toEqual([ms(10), WAITER]);
  const { meanwhile } = await load({ wait_ts: wait?.ts, wait_tid: wait?.tid });
  expect(meanwhile?.verdict.shares).toEqual([{ why: 'priority', ns: 20_000_000 }]);
});

test('swapped out for a part: it was readied again when it had been read in, and the CPU was free all the time', async () => {
  const others: Run[] = [[31, ms(1), 4, 0]];
  expect(await verdictOn(traceOf(others, ms(30), 0, { readyFlags: 2 }, ms(11)))).toMatchObject({
    listed: ['not_explained'],
    main: 'not_explained',
    shares: [
      { why: 'not_explained', ns: 19_000_000 },
      { why: 'swapped_out', ns: 1_000_000 },
    ],
  });
});

test('idle wake-up: the CPU that took it was idle, and took less than 1 ms', async () => {
  const others: Run[] = [
    [31, ms(1), 4, 0],
    [0, ms(2), 0, 0],
  ];
  expect(await verdictOn(traceOf(others, ms(10.3), 0, { cState: 2 }))).toEqual({
    listed: ['idle_wake_up'],
    main: 'idle_wake_up',
    shares: [{ why: 'idle_wake_up', ns: 300_000 }],
    cpu_ns: { ...NO_CPU_TIME, idle: 300_000 },
    usable_cpus: null,
    one_in: 1,
    sentence:
      'Idle wake-up is why: CPU 0, idle until then (C-state 2), was free for it and took 300 µs (100.0 % of the wait) to run it.',
  });
});

test('preemption delay: a thread that had to yield was put aside in less than 100 µs', async () => {
  expect(await verdictOn(traceOf([[31, ms(1), 4, 0]], ms(10.05), 0))).toEqual({
    listed: ['preemption_delay'],
    main: 'preemption_delay',
    shares: [{ why: 'preemption_delay', ns: 50_000 }],
    cpu_ns: { ...NO_CPU_TIME, behind: 50_000 },
    usable_cpus: null,
    one_in: 1,
    sentence:
      'Preemption delay is why: it took 50.0 µs (100.0 % of the wait) to put aside a thread that had to yield to it.',
  });
});

test('not explained: the CPU ran what had to yield for longer than that', async () => {
  const others: Run[] = [
    [31, ms(1), 4, 0],
    [32, ms(70), 12, 0],
  ];
  expect(await verdictOn(traceOf(others, ms(110), 0))).toEqual({
    listed: ['not_explained'],
    main: 'not_explained',
    shares: [
      { why: 'not_explained', ns: 60_000_000 },
      { why: 'priority', ns: 40_000_000 },
    ],
    cpu_ns: { ...NO_CPU_TIME, behind: 60_000_000, priority: 40_000_000 },
    usable_cpus: null,
    one_in: 1,
    sentence:
      'Not explained: for 60.0 ms (60.0 % of the wait) a CPU was idle or ran a thread that had to yield to it, and nothing recorded tells why that CPU did not run it. Not in this trace: DPCs and interrupts, affinities of threads, freezes of processes. The rest: priority 40.0 %.',
  });
});

test('not explained: the rank of what ran at a lower priority was not recorded', async () => {
  expect(await verdictOn(traceOf([[31, ms(1), 4, 255]], ms(30), 0))).toEqual({
    listed: ['not_explained'],
    main: 'not_explained',
    shares: [{ why: 'not_recorded', ns: 20_000_000 }],
    cpu_ns: { ...NO_CPU_TIME, unknown: 20_000_000 },
    usable_cpus: null,
    one_in: 1,
    sentence:
      'Not explained: for 20.0 ms (100.0 % of the wait) it is not recorded what ran on each CPU, or at which rank.',
  });
});

test('a wait of very many runs is judged by windows of it, and says so', async () => {
  const others = Array.from({ length: 90 }, (_, turn): Run => [31 + (turn % 2), ms(1 + turn * 1.1), 4, 0]);
  const query = await queryOf(traceOf(others, ms(110), 2));
  const chosen = await findWait(query, WAITER, ms(10));
  if (chosen === null) throw new Error('there is no such wait');
  const recorded = { cpu_count: 1, tick_ns: 100, unrecorded_causes: [] };
  const verdict = await judgeChosen(query, chosen, recorded, [], 1_000_000);
  expect(verdict).toEqual({
    main: 'rank',
    shares: [{ why: 'rank', ns: 100_000_000 }],
    cpu_ns: { ...NO_CPU_TIME, better_rank: 100_000_000 },
    usable_cpus: null,
    one_in: 10,
    sentence:
      'Rank is why: for 100 ms (100.0 % of the wait) the one CPU ran threads that went first, at least one of them by its better rank alone, at a priority below 8. Estimated from one in 10 parts of the wait.',
  });
});

/** Thread 20 is ready from 10 to 100 ms and bound to a CPU mask, from 99 ms on to another one; CPUs 6 and 7 are idle, on the others its betters run. */
async function boundVerdict(mask: number, thenMask: number) {
  const writer = new TraceWriter()
    .start(START, 1_700_000_000_000_000_000)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 8, end_ts: ms(200) })
    .process(START, 'app.exe', 'app.exe', { pid: 16 })
    .thread(START, null, { tid: WAITER, pid: 16, affinity: mask });
  for (let cpu = 0; cpu < 8; cpu++) {
    const next = cpu < 6 ? ([40 + cpu, 12] as const) : ([0, 0] as const);
    writer.thread(START, null, { tid: 40 + cpu, pid: 16 });
    writer.thread(START, null, { tid: 60 + cpu, pid: 16 });
    writer.contextSwitch(ms(1) + cpu, cpu, [60 + cpu, WAITING, 6], [...next, {}]);
  }
  const fields = { ThreadId: WAITER, Affinity: `0x${thenMask.toString(16)}`, Group: 0 };
  const trace = writer
    .readyThread(ms(10), 0, WAITER, 40)
    .genericEvent(ms(99), 'Thread/ThreadAffinity', [16, 40], 0x535, fields)
    .contextSwitch(ms(100), 7, [0, READY, 0], [WAITER, 8, {}])
    .fact(ms(200), 'etw.end');
  const query = await queryOf(trace);
  const given = { wait_ts: ms(10), wait_tid: WAITER };
  const range = { start: START, end: ms(200) };
  const model = await loadWithMeanwhile(query, readParams(readyLatency.params, given), range);
  return model.meanwhile?.verdict.sentence;
}

test('affinity: the CPUs are told to which it was bound for longest', async () => {
  const rest = 'threads that went first ran there, while another CPU was free.';
  expect(await boundVerdict(0x01, 0xfe)).toContain(
    `it may run on CPU 0 only. For 89.0 ms (98.9 % of the wait) ${rest}`,
  );
  expect(await boundVerdict(0x3e, 0xff)).toContain(`it may run on CPUs 1 to 5 only. For 89.0 ms`);
  expect(await boundVerdict(0x2b, 0xff)).toContain(`it may run on 4 CPUs only. For 89.0 ms`);
});
