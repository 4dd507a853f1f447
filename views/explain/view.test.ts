import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { explain } from './view.ts';

const whole = { start: 1000, end: 200_000 };
const blocks = { rank: 0, outPriority: 8, waitReason: 6, state: 5 };

/** A client asks a server at 20 µs and blocks; the server runs for 50 µs more, and wakes it. Times in ns. */
function trace(): Uint8Array {
  return new TraceWriter()
    .start(whole.start, 1_700_000_000_000_000_000)
    .fact(whole.start, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: whole.end, clock_hz: 10_000_000 })
    .process(whole.start, 'client.exe', '', { pid: 16 })
    .thread(whole.start, 'UI', { tid: 20, pid: 16 })
    .process(whole.start, 'server.exe', '', { pid: 32 })
    .thread(whole.start, null, { tid: 36, pid: 32 })
    .contextSwitch(5000, 1, [0, 2, 0], [36, 8, blocks])
    .contextSwitch(10_000, 0, [0, 2, 0], [20, 8, blocks])
    .contextSwitch(20_000, 0, [20, 5, 6], [0, 0])
    .readyThread(70_000, 1, 20, 36)
    .contextSwitch(75_000, 0, [0, 2, 0], [20, 8, blocks])
    .contextSwitch(80_000, 1, [36, 5, 6], [0, 0])
    .contextSwitch(100_000, 0, [20, 5, 6], [0, 0])
    .fact(whole.end, 'etw.end')
    .finish();
}

async function load(given: Readonly<Record<string, unknown>>) {
  const query = await queryOf(trace());
  return explain.load(query, readParams(explain.params, given), whole);
}

const delay = { tid: 20, from_ns: 10_000, to_ns: 100_000 };

const CLIENT = { handle: 't-2', pid: 16, process: 'client.exe', service: null, thread: 'UI', tid: 20 };
const SERVER = { handle: 't-4', pid: 32, process: 'server.exe', service: null, thread: null, tid: 36 };
const ran = { owner: 'ran', detail: null };
const woke = { owner: 'idle_wake_up', detail: null };

test('a delay, whole: parts, blocks and sums', async () => {
  expect(await load(delay)).toStrictEqual({
    origin_ns: 1000,
    unrecorded: null,
    notes: [
      'No DPCs and interrupts were recorded: DPCs and interrupts explain nothing. Record with the kernel flags DPC and INTERRUPT (in WPR: the CPU profile).',
    ],
    nothing: null,
    delay: {
      ts: 10_000,
      dur: 90_000,
      thread: CLIENT,
      threads: [CLIENT, SERVER],
      sentence:
        'Of the 90.0 µs of client.exe (tid 20, UI), server.exe (tid 36) ran for 50.0 µs (55.6 %); the thread itself ran for 35.0 µs (38.9 %); the thread itself was ready for 5.00 µs (5.6 %) while an idle CPU woke up.',
      owners: [
        {
          ...{ thread: SERVER, ...ran, parts: 1, sum_ns: 50_000, share: 50 / 90 },
          ...{ longest_ts: 20_000, longest_ns: 50_000 },
        },
        {
          ...{ thread: CLIENT, ...ran, parts: 2, sum_ns: 35_000, share: 35 / 90 },
          ...{ longest_ts: 75_000, longest_ns: 25_000 },
        },
        {
          ...{ thread: CLIENT, ...woke, parts: 1, sum_ns: 5000, share: 5 / 90 },
          ...{ longest_ts: 70_000, longest_ns: 5000 },
        },
      ],
      parts: [
        { ...ran, ts: 10_000, dur: 10_000, thread: 0, depth: 0, cpu: 0 },
        { ...ran, ts: 20_000, dur: 50_000, thread: 1, depth: 1, cpu: 1 },
        { ...woke, ts: 70_000, dur: 5000, thread: 0, depth: 0, cpu: null },
        { ...ran, ts: 75_000, dur: 25_000, thread: 0, depth: 0, cpu: 0 },
      ],
      blocks: [{ ts: 20_000, dur: 50_000, thread: 0, wait_reason: 'UserRequest', waker: 1, wake_ts: 70_000 }],
    },
  });
});

test('it opens with what is chosen, else with the longest ready wait', async () => {
  const chosen = { span: { start: 10_000, end: 100_000 }, thread: { tid: 20, ts: 10_000 }, pid: 16 };
  expect(explain.paramsFor?.(chosen)).toEqual(delay);
  expect(explain.paramsFor?.({ ...chosen, span: null })).toEqual({});
  const { delay: longest } = await load({});
  expect(longest).toMatchObject({ ts: 70_000, dur: 5000, thread: { tid: 20 } });
});

test.each([
  [{ ...delay, tid: 21 }, 'No thread had the id 21 in this time.'],
  [{ ...delay, to_ns: 9000 }, 'The delay ends before it begins.'],
  [{ ...delay, to_ns: 900_000 }, 'a delay lies within the recording: it begins or ends outside'],
])('a delay that cannot be is refused with a reason: %o', async (given, nothing) => {
  expect(await load(given)).toMatchObject({ delay: null, nothing });
});

test('a still has a lane for each thread, an arrow for the wake, and the owners', async () => {
  const { svg, texts } = stillOf(explain, await load(delay), whole, delay);
  expect(texts).toContain('50.0 µs (55.6 %)  server.exe (tid 36)  ran');
  expect(svg.querySelectorAll('g.wake')).toHaveLength(1);
  expect(texts).toEqual(expect.arrayContaining(['client.exe (tid 20, UI)', 'server.exe (tid 36)']));
});
