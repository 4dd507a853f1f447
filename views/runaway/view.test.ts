import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import type { RunawayModel } from './model.ts';
import { runaway } from './view.ts';

const MS = 1_000_000;
const START = 1000 * MS;
const whole = { start: START, end: START + 512 * MS };
/** Rank 0, priority 8, 1 ms. */
const VALUE = 8 * 2 ** 8 + 2 ** 13 + 10_000 * 2 ** 16;
const IN_DPC = 2 ** 14;

/** Two threads that run, switched or sampled or both. */
async function traceWith(recorded: { switches: boolean; samples: boolean }): Promise<Query> {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: whole.end })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, null, { tid: 20, pid: 16 })
    .thread(START, 'pump', { tid: 24, pid: 16 });
  if (recorded.samples) {
    const at = (ms: number, tid: number, stack: number, isKernel: boolean, flags = 0) =>
      trace.sample(START + ms * MS, 0, [16, tid], { stack, isKernel, value: VALUE + flags });
    trace.beginSamples(
      START,
      [['\\Windows\\app.exe', 0x1000, 0x9000]],
      [
        [0, 0x10],
        [0, 0x20],
        [0, 0x3030],
      ],
      [
        [0, 1],
        [0, 2],
      ],
    );
    at(1, 20, 0, false);
    at(2, 20, 0, false);
    at(3, 20, 1, true);
    at(4, 20, 1, true, IN_DPC);
    at(5, 24, 1, true);
  }
  if (recorded.switches) {
    trace
      .contextSwitch(START + 10 * MS, 0, [0, 2, 0], [20, 8, {}])
      .contextSwitch(START + 40 * MS, 0, [20, 5, 0], [24, 8, {}])
      .contextSwitch(START + 50 * MS, 0, [24, 5, 0], [0, 0]);
  }
  return queryOf(trace.flush(START + 60 * MS).fact(whole.end, 'etw.end'));
}

const load = (query: Query, given: Readonly<Record<string, unknown>> = {}, range = whole) =>
  runaway.load(query, readParams(runaway.params, given), range);

const [first, pump] = ['app.exe (tid 20)', 'app.exe (tid 24, pump)'];

test('all that is drawn from samples alone', async () => {
  expect(await load(await traceWith({ switches: false, samples: true }))).toEqual({
    origin_ns: START,
    unrecorded: null,
    notes: [
      'No context switches were recorded: CPU time is samples × interval. Record with the kernel flag CSWITCH (in WPR: the CPU profile).',
    ],
    exact: false,
    counters: [],
    threads: [
      {
        label: first,
        tid: 20,
        ran_ns: 3 * MS,
        samples: 3,
        user: 2 / 3,
        kernel: 1 / 3,
        stack: { samples: 2, frames: ['app.exe+0x20', 'app.exe+0x10'] },
        counted: [],
      },
      {
        label: pump,
        tid: 24,
        ran_ns: MS,
        samples: 1,
        user: 0,
        kernel: 1,
        stack: { samples: 1, frames: ['app.exe+0x3030', 'app.exe+0x10'] },
        counted: [],
      },
    ],
    thread_count: 2,
    lines: [
      {
        label: first,
        ts: [START, START + MS, START + 2 * MS, START + 3 * MS],
        ran_ns: [0, MS, 2 * MS, 3 * MS],
      },
      { label: pump, ts: [START, START + 5 * MS], ran_ns: [0, MS] },
    ],
  } satisfies RunawayModel);
});

test('CPU time is exact where switches were recorded', async () => {
  const { exact, threads, lines } = await load(await traceWith({ switches: true, samples: false }));
  expect(exact).toBe(true);
  expect(threads.map(({ label, ran_ns, user, stack }) => [label, ran_ns, user, stack])).toEqual([
    [first, 30 * MS, null, null],
    [pump, 10 * MS, null, null],
  ]);
  expect(lines.map(({ ran_ns }) => ran_ns.at(-1))).toEqual([30 * MS, 10 * MS]);
});

test('it counts from the start to the end of the range in view, also where that begins later', async () => {
  const query = await traceWith({ switches: true, samples: false });
  const { threads } = await load(query, {}, { start: START + 15 * MS, end: START + 20 * MS });
  expect(threads.map(({ label, ran_ns }) => [label, ran_ns])).toEqual([[first, 10 * MS]]);
});
