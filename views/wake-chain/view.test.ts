import { expect, test } from 'vitest';
import type { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { linkSentence, releaseSentence } from './sentences.ts';
import { begin, blocks, idle, load, relay, TERMINATED, USER_REQUEST, WAITING, whole } from './testing.ts';
import { wakeChain } from './view.ts';

test('it opens with the chosen thread, in its run at the start of the chosen span or the next one', async () => {
  const chosen = { span: { start: 10_100, end: 10_140 }, thread: { tid: 111, ts: 10_100 }, pid: 1 };
  const params = wakeChain.paramsFor?.(chosen);
  expect(params).toEqual({ ts: 10_100, tid: 111 });
  const { links } = await load(relay(3, [0]), params ?? {});
  expect(links[0]).toMatchObject({ tid: 111, ready_ts: 10_100, switch_in_ts: 10_140 });
  expect(wakeChain.paramsFor?.({ ...chosen, span: null })).toEqual({});
});

test('a short chain, whole: who woke the last thread, and what that one released', async () => {
  const model = await load(relay(3, [0]), { ts: 10_140, tid: 111 });
  const [p0, p1, p2] = [0, 1, 2].map((at) => {
    const pid = 100 + 10 * at;
    return { process: `p${at}.exe`, pid, service: null, tid: pid + 1, thread: null };
  });
  const scheduled = { wait_reason: 'UserRequest', rank: 0, priority: 9 };
  const link = { ...scheduled, before_dpc: false, ready_ns: 40, blocked_since_start: false, runs: 1, cpu: 0 };
  expect(model).toStrictEqual({
    origin_ns: 1000,
    unrecorded: null,
    notes: [],
    links: [
      {
        ...{ ...p1, ...link, blocked_ns: 8070, ready_ts: 10_100, switch_in_ts: 10_140, until_ts: 10_220 },
        ...{ ran_ns: 80, woken_by: 'p0.exe (tid 101)' },
      },
      {
        ...{ ...p0, ...link, blocked_ns: 7990, ready_ts: 10_000, switch_in_ts: 10_040, until_ts: 10_100 },
        ...{ ran_ns: 60, woken_by: 'a DPC' },
      },
    ],
    // p0 was blocked before p1 was: of that only what p1 waited for counts.
    longest: { link: 1, was_blocked: true, took_ns: 7970, at_least: false },
    stop: {
      reason: 'dpc',
      sentence:
        'p0.exe (tid 101) was woken from a DPC (a timer, finished I/O or another interrupt): no thread stands behind it. It had been blocked for 7.99 µs (UserRequest); go past the DPC to see what it did before.',
    },
    released: [
      {
        ...{ ...p2, ...scheduled, depth: 1, parent: null, waited_ns: 8190, at_least: false },
        ...{ ready_ts: 10_200, ready_ns: 40, switch_in_ts: 10_240, block_ts: 10_300 },
      },
    ],
    released_cut: false,
    by_process: [
      {
        ...{ process: 'p2.exe', pid: 120, service: null, threads: 1 },
        ...{ waited_sum_ns: 8190, waited_max_ns: 8190, at_least: false },
      },
    ],
    backward: {
      threads: [p1, p0],
      spans: [
        { lane: 0, of: 0, state: 'blocked', ts: 2030, dur: 8070 },
        { lane: 0, of: 0, state: 'ready', ts: 10_100, dur: 40 },
        { lane: 0, of: 0, state: 'running', ts: 10_140, dur: 80 },
        { lane: 1, of: 1, state: 'blocked', ts: 2010, dur: 7990 },
        { lane: 1, of: 1, state: 'ready', ts: 10_000, dur: 40 },
        { lane: 1, of: 1, state: 'running', ts: 10_040, dur: 60 },
      ],
      wakes: [
        { ts: 10_100, from: 1, to: 0 },
        { ts: 10_000, from: null, to: 1 },
      ],
    },
    forward: {
      threads: [p1, p2],
      spans: [
        { lane: 0, of: null, state: 'running', ts: 10_140, dur: 80 },
        { lane: 1, of: 0, state: 'blocked', ts: 2050, dur: 8150 },
        { lane: 1, of: 0, state: 'ready', ts: 10_200, dur: 40 },
        { lane: 1, of: 0, state: 'running', ts: 10_240, dur: 60 },
      ],
      wakes: [{ ts: 10_200, from: 0, to: 1 }],
    },
  });
});

test('a chain of 15 links across processes, back to a DPC', async () => {
  const model = await load(relay(15, [0]), { ts: 11_440, tid: 241 });
  expect([...model.links.map(linkSentence), model.stop]).toMatchInlineSnapshot(`
    [
      "p14.exe (tid 241): blocked for 9.11 µs (UserRequest), woken by p13.exe (tid 231), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p13.exe (tid 231): blocked for 9.03 µs (UserRequest), woken by p12.exe (tid 221), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p12.exe (tid 221): blocked for 8.95 µs (UserRequest), woken by p11.exe (tid 211), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p11.exe (tid 211): blocked for 8.87 µs (UserRequest), woken by p10.exe (tid 201), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p10.exe (tid 201): blocked for 8.79 µs (UserRequest), woken by p9.exe (tid 191), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p9.exe (tid 191): blocked for 8.71 µs (UserRequest), woken by p8.exe (tid 181), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p8.exe (tid 181): blocked for 8.63 µs (UserRequest), woken by p7.exe (tid 171), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p7.exe (tid 171): blocked for 8.55 µs (UserRequest), woken by p6.exe (tid 161), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p6.exe (tid 161): blocked for 8.47 µs (UserRequest), woken by p5.exe (tid 151), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p5.exe (tid 151): blocked for 8.39 µs (UserRequest), woken by p4.exe (tid 141), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p4.exe (tid 141): blocked for 8.31 µs (UserRequest), woken by p3.exe (tid 131), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p3.exe (tid 131): blocked for 8.23 µs (UserRequest), woken by p2.exe (tid 121), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p2.exe (tid 121): blocked for 8.15 µs (UserRequest), woken by p1.exe (tid 111), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p1.exe (tid 111): blocked for 8.07 µs (UserRequest), woken by p0.exe (tid 101), ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      "p0.exe (tid 101): blocked for 7.99 µs (UserRequest), woken by a DPC, ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
      {
        "reason": "dpc",
        "sentence": "p0.exe (tid 101) was woken from a DPC (a timer, finished I/O or another interrupt): no thread stands behind it. It had been blocked for 7.99 µs (UserRequest); go past the DPC to see what it did before.",
      },
    ]
  `);
  expect(releaseSentence(model)).toBe('It woke no thread before it blocked.');
});

test('depth and limit cut the chains, and say so', async () => {
  const back = await load(relay(6, [0]), { ts: 10_540, tid: 151, depth: 2 });
  expect([back.links.length, back.stop?.sentence]).toEqual([
    3,
    'The chain goes on: the depth limit is reached.',
  ]);
  const deep = await load(relay(6, [0]), { ts: 10_040, tid: 101, depth: 2 });
  expect([deep.released.length, deep.released_cut]).toEqual([2, true]);
  const few = await load(relay(6, [0]), { ts: 10_040, tid: 101, limit: 3 });
  expect([few.released.length, few.released_cut]).toEqual([3, true]);
  const all = await load(relay(6, [0]), { ts: 10_040, tid: 101, limit: 5 });
  expect([all.released.length, all.released_cut]).toEqual([5, false]);
});

test('a ready event from before the switch-out, written after it, still belongs to the run that sent it', async () => {
  const trace = begin('waker.exe', 'sleeper.exe')
    .contextSwitch(2000, 1, idle, [111, 8, blocks])
    .contextSwitch(2100, 0, idle, [101, 8, blocks])
    .contextSwitch(2200, 0, [101, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(2250, 1, [111, WAITING, USER_REQUEST], [0, 0])
    .readyThread(2251, 0, 111, 101)
    .contextSwitch(2300, 1, idle, [111, 8, blocks])
    .contextSwitch(2400, 1, [111, WAITING, USER_REQUEST], [0, 0]);
  const model = await load(trace, { ts: 2300, tid: 111 });
  expect([...model.links.map(linkSentence), model.stop?.reason]).toEqual([
    'sleeper.exe (tid 111): blocked for 1 ns (UserRequest), woken by waker.exe (tid 101), ready for 49 ns, ran for 100 ns at priority 8, rank 0.',
    'waker.exe (tid 101): ran for 100 ns at priority 8, rank 0.',
    'trace_start',
  ]);
  const forward = await load(trace, { ts: 2100, tid: 101 });
  expect(forward.released.map(({ process, ready_ts, waited_ns }) => [process, ready_ts, waited_ns])).toEqual([
    ['sleeper.exe', 2251, 50],
  ]);
});

test('a thread id that is used again names the thread that had it at the time', async () => {
  const trace = begin('old.exe', 'new.exe', 'woken.exe')
    .thread(1000, null, { tid: 500, pid: 100, exit_ts: 2300 })
    .contextSwitch(2000, 0, idle, [500, 8, { ...blocks, state: TERMINATED }])
    .readyThread(2100, 0, 121, 500)
    .contextSwitch(2150, 1, idle, [121, 8, blocks])
    .contextSwitch(2200, 1, [121, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(2250, 0, [500, TERMINATED, 0], [0, 0])
    .free(2300, 500)
    .thread(3000, null, { tid: 500, pid: 110, create_ts: 3000 })
    .contextSwitch(3100, 0, idle, [500, 8, blocks])
    .readyThread(3200, 0, 121, 500)
    .contextSwitch(3250, 1, idle, [121, 8, blocks])
    .contextSwitch(3300, 0, [500, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(3350, 1, [121, WAITING, USER_REQUEST], [0, 0]);
  const wakers = async (ts: number) => {
    const { links, stop } = await load(trace, { ts, tid: 121 });
    return [links[0]?.woken_by, stop?.reason];
  };
  expect(await wakers(2150)).toEqual(['old.exe (tid 500)', 'trace_start']);
  expect(await wakers(3250)).toEqual(['new.exe (tid 500)', 'created']);
});

test('hundreds of released threads: a tree with totals by process, and at least where they waited since before', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `app${at}.exe`);
  const trace = begin('owner.exe', ...names);
  const leaders = names.map((_, at) => 111 + 10 * at);
  for (const tid of leaders) {
    for (const sibling of [1, 2]) trace.thread(whole.start, null, { tid: tid + sibling, pid: tid - 1 });
  }
  trace.contextSwitch(2000, 0, idle, [101, 8, blocks]);
  leaders.forEach((tid, at) => trace.readyThread(10_000 + at, 0, tid, 101));
  leaders.forEach((tid, at) => {
    const ts = 11_000 + 100 * at;
    trace
      .contextSwitch(ts, 1, idle, [tid, 8, blocks])
      .readyThread(ts + 10, 1, tid + 1, tid)
      .readyThread(ts + 11, 1, tid + 2, tid)
      .contextSwitch(ts + 20, 1, [tid, WAITING, USER_REQUEST], [tid + 1, 8, blocks])
      .contextSwitch(ts + 40, 1, [tid + 1, WAITING, USER_REQUEST], [tid + 2, 8, blocks])
      .contextSwitch(ts + 60, 1, [tid + 2, WAITING, USER_REQUEST], [0, 0]);
  });
  trace.contextSwitch(30_000, 0, [101, WAITING, USER_REQUEST], [0, 0]);
  const model = await load(trace, { ts: 2000, tid: 101 });
  expect(releaseSentence(model)).toBe(
    '300 threads of 100 processes released, ending at least 4.49 ms of waiting.',
  );
  // Those who ran last had waited longest: since the trace started, at 1000.
  const expected = leaders
    .map((tid, at) => {
      const waited = 11_000 + 100 * at - whole.start;
      return {
        process: names[at],
        pid: tid - 1,
        service: null,
        threads: 3,
        waited_sum_ns: 3 * waited + 60,
        waited_max_ns: waited + 40,
        at_least: true,
      };
    })
    .reverse();
  expect(model.by_process).toEqual(expected);
  expect(model.released.slice(99, 102).map(({ tid, depth, parent }) => [tid, depth, parent])).toEqual([
    [1101, 1, null],
    [112, 2, 0],
    [113, 2, 0],
  ]);
  const limited = await load(trace, { ts: 2000, tid: 101, limit: 200 });
  expect([limited.released.length, limited.released_cut]).toEqual([200, true]);
});

test('where a thread ran again without a ready event, the chain says so; or that events were lost', async () => {
  const again = () =>
    begin('a.exe')
      .contextSwitch(2000, 0, idle, [101, 8, blocks])
      .contextSwitch(2100, 0, [101, WAITING, USER_REQUEST], [0, 0]);
  const end = (trace: TraceWriter) =>
    trace
      .contextSwitch(3000, 0, idle, [101, 8, blocks])
      .contextSwitch(3100, 0, [101, WAITING, USER_REQUEST], [0, 0]);
  const plain = await load(end(again()), { ts: 3000, tid: 101 });
  expect(plain.stop?.reason).toBe('no_ready_event');
  const lost = again().fact(2500, 'etw.loss', { kind: 'lost_events', dur_ns: 20, count: 3, message: 'lost' });
  expect((await load(end(lost), { ts: 3000, tid: 101 })).stop?.reason).toBe('lost_events');
});

test('without a choice the chain starts at the run that ended the longest ready wait; without any it is empty', async () => {
  const model = await load(relay(3, [0]));
  expect(model.links[0]?.process).toBe('p0.exe');
  const none = await load(begin('a.exe'));
  expect([none.links, none.released, none.stop]).toEqual([[], [], null]);
});
