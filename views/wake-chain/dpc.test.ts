import { expect, test } from 'vitest';
import { linkSentence, longestSentence } from './sentences.ts';
import { begin, blocks, idle, load, relay, USER_REQUEST, WAITING } from './testing.ts';

test('a DPC in the middle can be gone past: to what the thread did before it blocked', async () => {
  const trace = begin('asker.exe', 'writer.exe', 'last.exe')
    .contextSwitch(2000, 1, idle, [111, 8, blocks])
    .contextSwitch(2050, 1, [111, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(3000, 0, idle, [101, 8, blocks])
    .readyThread(3100, 0, 111, 101)
    .contextSwitch(3120, 1, idle, [111, 8, blocks])
    .contextSwitch(3150, 0, [101, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(3200, 1, [111, WAITING, USER_REQUEST], [0, 0])
    .readyThread(9200, 1, 111, 0)
    .contextSwitch(9230, 1, idle, [111, 9, { ...blocks, readyFlags: 1 }])
    .readyThread(9300, 1, 121, 111)
    .contextSwitch(9310, 0, idle, [121, 8, blocks])
    .contextSwitch(9350, 1, [111, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(9400, 0, [121, WAITING, USER_REQUEST], [0, 0]);
  const told = async (given: Readonly<Record<string, unknown>>) => {
    const model = await load(trace, given);
    return [longestSentence(model), ...model.links.map(linkSentence), model.stop?.sentence];
  };
  expect(await told({ ts: 9310, tid: 121 })).toMatchInlineSnapshot(`
    [
      "Most time went by while writer.exe (tid 111) was blocked (UserRequest): 6.00 µs.",
      "last.exe (tid 121): blocked for at least 8.30 µs, woken by writer.exe (tid 111), ready for 10 ns, ran for 90 ns at priority 8, rank 0.",
      "writer.exe (tid 111): blocked for 6.00 µs (UserRequest), woken by a DPC, ready for 30 ns, ran for 70 ns at priority 9, rank 0.",
      "writer.exe (tid 111) was woken from a DPC (a timer, finished I/O or another interrupt): no thread stands behind it. It had been blocked for 6.00 µs (UserRequest); go past the DPC to see what it did before.",
    ]
  `);
  expect(await told({ ts: 9310, tid: 121, past_dpc_ms: 0.01 })).toMatchInlineSnapshot(`
    [
      "Most time went by with writer.exe (tid 111): 6.10 µs until a DPC woke it. The thread ran for 80 ns of that.",
      "last.exe (tid 121): blocked for at least 8.30 µs, woken by writer.exe (tid 111), ready for 10 ns, ran for 90 ns at priority 8, rank 0.",
      "writer.exe (tid 111): blocked for 6.00 µs (UserRequest), woken by a DPC, ready for 30 ns, ran for 70 ns at priority 9, rank 0.",
      "writer.exe (tid 111): blocked for 1.05 µs (UserRequest), woken by asker.exe (tid 101), ready for 20 ns, ran for 80 ns at priority 8, rank 0, and then blocked until the DPC.",
      "asker.exe (tid 101): ran for 100 ns at priority 8, rank 0.",
      "asker.exe (tid 101) has not been blocked since the trace started: what woke it lies before.",
    ]
  `);
  const { backward } = await load(trace, { ts: 9310, tid: 121, past_dpc_ms: 0.01 });
  expect(backward.wakes).toMatchInlineSnapshot(`
    [
      {
        "from": 1,
        "to": 0,
        "ts": 9300,
      },
      {
        "from": null,
        "to": 1,
        "ts": 9200,
      },
      {
        "from": 2,
        "to": 1,
        "ts": 3100,
      },
    ]
  `);
  const released = async (past_dpc_ms: number) =>
    (await load(trace, { ts: 3000, tid: 101, past_dpc_ms })).released.map(
      ({ depth, process, switch_in_ts, block_ts }) => [depth, process, switch_in_ts, block_ts],
    );
  expect(await released(0)).toEqual([[1, 'writer.exe', 3120, 3200]]);
  expect(await released(0.005)).toEqual([[1, 'writer.exe', 3120, 3200]]);
  expect(await released(0.01)).toEqual([
    [1, 'writer.exe', 3120, 9350],
    [2, 'last.exe', 9310, 9400],
  ]);
});

test('a DPC in the middle ends the chain backward, and is no one’s release forward', async () => {
  const trace = relay(15, [0, 7]);
  const back = await load(trace, { ts: 11_440, tid: 241 });
  expect([back.links.length, back.links.at(-1)?.woken_by, back.stop?.reason]).toEqual([8, 'a DPC', 'dpc']);
  const past = await load(trace, { ts: 11_440, tid: 241, past_dpc_ms: 0.01 });
  expect([past.links.length, ...past.links.slice(-2).map(linkSentence), past.stop?.reason])
    .toMatchInlineSnapshot(`
      [
        9,
        "p7.exe (tid 171): blocked for 8.55 µs (UserRequest), woken by a DPC, ready for 40 ns, ran for 60 ns at priority 9, rank 0.",
        "p7.exe (tid 171): ran for 10 ns at priority 8, rank 0, and then blocked until the DPC.",
        "trace_start",
      ]
    `);
  const forward = await load(trace, { ts: 10_040, tid: 101 });
  expect(forward.released.map(({ depth, process, parent }) => [depth, process, parent])).toEqual([
    [1, 'p1.exe', null],
    [2, 'p2.exe', 0],
    [3, 'p3.exe', 1],
    [4, 'p4.exe', 2],
    [5, 'p5.exe', 3],
    [6, 'p6.exe', 4],
  ]);
});
