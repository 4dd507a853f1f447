import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { releaseMoments } from './view.ts';

const WAITING = 5;
const USER_REQUEST = 6;
const MS = 1_000_000;
const whole = { start: 1_000_000, end: 30_000_000 };
const blocks = { rank: 0, outPriority: 8, waitReason: USER_REQUEST, state: WAITING };
const idle = [0, 2, 0] as const;

/**
 * Two CPUs. Threads 111 and 121 block at 2 ms; 131 has been blocked since before the trace. At 20 ms thread 101 wakes
 * all three. At 25 ms a DPC wakes 111 again, which had waited for 4.8 ms.
 */
function lockTrace(): Uint8Array {
  const trace = new TraceWriter().start(whole.start, 1_700_000_000_000_000_000);
  trace.fact(whole.start, 'etw.trace', { schema: 1, cpu_count: 2, start_utc_ns: 0, end_ts: whole.end });
  trace.process(whole.start, 'Idle', '', { pid: 0 });
  ['owner.exe', 'a.exe', 'b.exe', 'c.exe'].forEach((name, index) => {
    const pid = 100 + 10 * index;
    trace.process(whole.start, name, '', { pid }).thread(whole.start, null, { tid: pid + 1, pid });
  });
  const run = (ts: number, tid: number, readyFlags = 0) =>
    trace
      .contextSwitch(ts, 1, idle, [tid, 8, { ...blocks, readyFlags }])
      .contextSwitch(ts + 50_000, 1, [tid, WAITING, USER_REQUEST], [0, 0]);
  run(1_900_000, 111);
  run(1_960_000, 121);
  trace
    .contextSwitch(19_000_000, 0, idle, [101, 8, blocks])
    .readyThread(20_000_000, 0, 111, 101)
    .readyThread(20_010_000, 0, 121, 101)
    .readyThread(20_020_000, 0, 131, 101);
  run(20_100_000, 111);
  run(20_200_000, 121);
  run(20_300_000, 131);
  trace.contextSwitch(21_000_000, 0, [101, WAITING, USER_REQUEST], [0, 0]).readyThread(25_000_000, 0, 111, 0);
  run(25_100_000, 111, 1);
  return trace.fact(whole.end, 'etw.end').finish();
}

/** Thread 111 runs when the trace begins, and blocks at 2 ms. At 20 ms thread 101 wakes it. */
function runningTrace(): Uint8Array {
  const trace = new TraceWriter().start(whole.start, 1_700_000_000_000_000_000);
  trace.fact(whole.start, 'etw.trace', { schema: 1, cpu_count: 2, start_utc_ns: 0, end_ts: whole.end });
  trace.process(whole.start, 'a.exe', '', { pid: 100 });
  for (const tid of [101, 111]) trace.thread(whole.start, null, { tid, pid: 100 });
  return trace
    .contextSwitch(2_000_000, 1, [111, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(19_000_000, 0, idle, [101, 8, blocks])
    .readyThread(20_000_000, 0, 111, 101)
    .contextSwitch(20_100_000, 1, idle, [111, 8, blocks])
    .contextSwitch(20_150_000, 1, [111, WAITING, USER_REQUEST], [0, 0])
    .fact(whole.end, 'etw.end')
    .finish();
}

const query = await queryOf(lockTrace());

const load = (given: Readonly<Record<string, unknown>>, range = whole) =>
  releaseMoments.load(query, readParams(releaseMoments.params, given), range);

test('all that is drawn: the moment in which a release ended three waits, and a lesser one', async () => {
  const released = { dur: MS, at_least: true, waited_sum_ns: 55_640_000 };
  const lesser = { dur: MS, at_least: false, waited_sum_ns: 4_950_000 };
  const [owner, dpc] = ['owner.exe (tid 101)', 'a DPC'];
  expect(await load({ at_least_ms: 1 })).toStrictEqual({
    origin_ns: whole.start,
    unrecorded: null,
    notes: [],
    bucket_ns: MS,
    at_least_ns: MS,
    waits: 4,
    moment_count: 2,
    moments: [
      {
        ...{ ...released, ts: 20_100_000, waited_max_ns: 19_300_000, threads: 3, processes: 3 },
        ...{ released_by: owner, released_sum_ns: 55_640_000, begun_by: owner },
        ...{ run_ts: 19_000_000, run_tid: 101, run_pid: 100 },
      },
      {
        ...{ ...lesser, ts: 25_100_000, waited_max_ns: 4_950_000, threads: 1, processes: 1 },
        ...{ released_by: dpc, released_sum_ns: 4_950_000, begun_by: dpc },
        ...{ run_ts: 25_100_000, run_tid: 111, run_pid: 110 },
      },
    ],
    peaks: [
      { ...released, ts: 20_000_000 },
      { ...lesser, ts: 25_000_000 },
    ],
  });
});

/** At 20 ms thread 101, which has run since 1 ms, wakes 111, that wakes 121, that wakes 131: each had waited since 2 ms. */
function relayTrace(): Uint8Array {
  const trace = new TraceWriter().start(whole.start, 1_700_000_000_000_000_000);
  trace.fact(whole.start, 'etw.trace', { schema: 1, cpu_count: 2, start_utc_ns: 0, end_ts: whole.end });
  trace.process(whole.start, 'Idle', '', { pid: 0 });
  ['owner.exe', 'a.exe', 'b.exe', 'c.exe'].forEach((name, index) => {
    const pid = 100 + 10 * index;
    trace.process(whole.start, name, '', { pid }).thread(whole.start, null, { tid: pid + 1, pid });
  });
  trace.contextSwitch(1_500_000, 0, idle, [101, 8, blocks]);
  for (const [at, tid] of [111, 121, 131].entries()) {
    const ts = 2_000_000 + at * 10_000;
    trace
      .contextSwitch(ts, 1, idle, [tid, 8, blocks])
      .contextSwitch(ts + 5000, 1, [tid, WAITING, USER_REQUEST], [0, 0]);
  }
  for (const [at, tid] of [111, 121, 131].entries()) {
    const ts = 20_000_000 + at * 100_000;
    trace.readyThread(ts, at === 0 ? 0 : 1, tid, at === 0 ? 101 : tid - 10);
    if (at > 0) trace.contextSwitch(ts + 10_000, 1, [tid - 10, WAITING, USER_REQUEST], [0, 0]);
    trace.contextSwitch(ts + 20_000, 1, idle, [tid, 8, blocks]);
  }
  return trace
    .contextSwitch(20_400_000, 1, [131, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(21_000_000, 0, [101, WAITING, USER_REQUEST], [0, 0])
    .fact(whole.end, 'etw.end')
    .finish();
}

test('a moment names who began it, back along the wakes to one that had not just waited; a click goes there', async () => {
  const ask = await queryOf(relayTrace());
  const params = readParams(releaseMoments.params, { at_least_ms: 1, bucket_ms: 0.1 });
  const { moments } = await releaseMoments.load(ask, params, whole);
  expect(
    moments.map(({ ts, released_by, begun_by, run_tid, run_ts }) => [
      ts,
      released_by,
      begun_by,
      run_tid,
      run_ts,
    ]),
  ).toEqual([
    [20_220_000, 'b.exe (tid 121)', 'owner.exe (tid 101)', 101, 1_500_000],
    [20_120_000, 'a.exe (tid 111)', 'owner.exe (tid 101)', 101, 1_500_000],
    [20_020_000, 'owner.exe (tid 101)', 'owner.exe (tid 101)', 101, 1_500_000],
  ]);
});

test('shorter waits are left out; moments can be longer; the range cuts', async () => {
  const sums = async (given: Readonly<Record<string, unknown>>, range = whole) =>
    (await load(given, range)).moments.map(({ ts, waited_sum_ns, threads }) => [ts, waited_sum_ns, threads]);
  expect(await sums({ at_least_ms: 10 })).toEqual([[20_100_000, 55_640_000, 3]]);
  expect(await sums({ at_least_ms: 0, bucket_ms: 10 })).toEqual([[20_100_000, 60_590_000, 3]]);
  expect(await sums({ at_least_ms: 0 }, { start: 21_000_000, end: 30_000_000 })).toEqual([
    [25_100_000, 4_950_000, 1],
  ]);
  expect(await sums({ at_least_ms: 0, limit: 1 })).toHaveLength(1);
  expect(await sums({ at_least_ms: 1000 })).toEqual([]);
});

const SECOND = 1_000_000_000;

/** Two threads block at 1 s: one for 5 s, then ready for 1 ms; the other for 0.1 s, then ready for 4.9 s. */
function longTrace(): Uint8Array {
  const trace = new TraceWriter().start(SECOND, 1_700_000_000_000_000_000);
  const end = 12 * SECOND;
  trace.fact(SECOND, 'etw.trace', { schema: 1, cpu_count: 2, start_utc_ns: 0, end_ts: end });
  trace.process(SECOND, 'Idle', '', { pid: 0 });
  trace.process(SECOND, 'a.exe', '', { pid: 100 });
  for (const tid of [101, 102]) trace.thread(SECOND, null, { tid, pid: 100 });
  for (const [cpu, tid] of [101, 102].entries()) {
    const [block, ready] = [SECOND + 10 * (cpu + 1), (cpu === 0 ? 6 : 1.1) * SECOND];
    const te = 6 * SECOND + 1_000_000 + cpu * 20;
    trace
      .contextSwitch(block - 5, cpu, idle, [tid, 8, blocks])
      .contextSwitch(block, cpu, [tid, WAITING, USER_REQUEST], [0, 0])
      .readyThread(ready, 1 - cpu, tid, 0)
      .contextSwitch(te, cpu, idle, [tid, 8, blocks])
      .contextSwitch(te + 10, cpu, [tid, WAITING, USER_REQUEST], [0, 0]);
  }
  return trace.fact(end, 'etw.end').finish();
}

test('waits that are too long for the columns count as others do, once each', async () => {
  const ask = await queryOf(longTrace());
  const range = { start: SECOND, end: 12 * SECOND };
  const sums = async (at_least_ms: number) => {
    const { waits, moments } = await releaseMoments.load(
      ask,
      readParams(releaseMoments.params, { at_least_ms }),
      range,
    );
    return { waits, moments: moments.map((each) => [each.waited_sum_ns, each.waited_max_ns, each.threads]) };
  };
  const first = 5 * SECOND + 1_000_000 - 10;
  const second = 5 * SECOND + 1_000_000;
  expect(await sums(0)).toEqual({ waits: 2, moments: [[first + second, second, 2]] });
  expect(await sums(4950)).toEqual({ waits: 1, moments: [[first, first, 1]] });
});

test('a still is one SVG with the moments in words', async () => {
  const params = readParams(releaseMoments.params, { at_least_ms: 1 });
  const { texts } = stillOf(releaseMoments, await load(params), whole, params);
  expect(texts.filter((text) => text.includes('of waiting of'))).toMatchInlineSnapshot(`
    [
      "0.019100 s: at least 55.6 ms of waiting of 3 threads of 3 processes ended, most of it by owner.exe (tid 101).",
      "0.024100 s: 4.95 ms of waiting of 1 thread of 1 process ended, most of it by a DPC.",
    ]
  `);
});

test('a thread that ran when the trace began has waited since it blocked', async () => {
  const asked = await queryOf(runningTrace());
  const { moments } = await releaseMoments.load(
    asked,
    readParams(releaseMoments.params, { at_least_ms: 0 }),
    whole,
  );
  expect(moments.map(({ ts, waited_sum_ns, at_least }) => ({ ts, waited_sum_ns, at_least }))).toEqual([
    { ts: 20_100_000, waited_sum_ns: 18_100_000, at_least: false },
  ]);
});
