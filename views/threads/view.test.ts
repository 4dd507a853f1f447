import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { threads } from './view.ts';

const US = 1000;
const range = { start: 1_000_000, end: 101_000_000 };
const MADE = 80;

/**
 * `server.exe` has a thread, and makes 80 more, each 20 µs later after the one before than that one was; the first ten end
 * at 90 ms. `calm.exe` has two threads. Handles are counted at the end; before, `calm.exe` opens two and closes one.
 */
function growthTrace(): Uint8Array {
  const trace = new TraceWriter().start(range.start, range.start);
  trace.fact(range.start, 'etw.trace', { schema: 1, cpu_count: 2, start_utc_ns: 0, end_ts: range.end });
  trace
    .process(range.start, 'server.exe', '', { pid: 16 })
    .process(range.start, 'calm.exe', '', { pid: 32 })
    .thread(range.start, null, { tid: 17, pid: 16 })
    .thread(range.start, null, { tid: 33, pid: 32 })
    .thread(range.start, null, { tid: 34, pid: 32 });
  let ts = range.start + US;
  const end_ts = range.end - 11_000_000;
  for (let index = 0; index < MADE; index++) {
    ts += (100 + 20 * index) * US;
    const tid = 1000 + 4 * index;
    trace.thread(ts, null, {
      tid,
      pid: 16,
      create_ts: ts,
      ...(index < 10 ? { exit_ts: end_ts + index } : {}),
    });
  }
  for (let index = 0; index < 10; index++) trace.free(end_ts + index, 1000 + 4 * index);
  const handle = { Object: '0x10', Handle: '0x4', ObjectType: 8 };
  return trace
    .genericEvent(range.end - 30, 'Object/CreateHandle', [32, 33], 0x1120, handle)
    .genericEvent(range.end - 29, 'Object/CreateHandle', [32, 34], 0x1120, handle)
    .genericEvent(range.end - 28, 'Object/CloseHandle', [32, 33], 0x1121, handle)
    .genericEvent(range.end - 10, 'Process/PerfCtrRundown', [0, 0], 0x321, { ProcessId: 16, HandleCount: 93 })
    .fact(range.end, 'etw.end')
    .finish();
}

const query = await queryOf(growthTrace());

const load = (given: Readonly<Record<string, unknown>>) =>
  threads.load(query, readParams(threads.params, given), range);

test('all that is drawn: live threads, handles, and a cost that grows', async () => {
  const model = await load({});
  expect({
    ...model,
    created: model.created.reduce((a, b) => a + b),
    ended: model.ended.reduce((a, b) => a + b),
    lines: model.lines.map(({ label, live }) => [label, live[0], live[150], live.at(-1)]),
  }).toStrictEqual({
    origin_ns: range.start,
    unrecorded: null,
    notes: [],
    steps: { ts: range.start, dur: 333_334, count: 300 },
    lines: [
      ['server.exe (pid 16)', 1, 67, 71],
      ['calm.exe (pid 32)', 2, 2, 2],
    ],
    created: 80,
    ended: 10,
    processes: [
      {
        ...{
          pid: 16,
          process: 'server.exe',
          services: null,
          created: 80,
          ended: 10,
          at_start: 1,
          at_end: 71,
          most: 81,
        },
        ...{ handles: 93, handle_change: null },
      },
      {
        ...{
          pid: 32,
          process: 'calm.exe',
          services: null,
          created: 0,
          ended: 0,
          at_start: 2,
          at_end: 2,
          most: 2,
        },
        ...{ handles: null, handle_change: 1 },
      },
    ],
    growths: [
      {
        ...{
          what: 'threads',
          pid: 16,
          process: 'server.exe',
          services: null,
          count: 80,
          ts: 1_101_000,
          dur: 71_100_000,
        },
        beyond_ns: 55_110_637,
        fit: {
          ...{ order: 'O(n)', base_ns: 99_923, slope_ns: 19_931.5, power: 1 },
          ...{ first_ns: 199_580, last_ns: 1_594_789 },
          exponent: { value: 0.7796, low: 0.5761, high: 0.983, r2: 0.9921 },
        },
        bins: [
          [5, 200],
          [14, 380],
          [22.5, 540],
          [31, 720],
          [40, 900],
          [49, 1080],
          [57.5, 1240],
          [66, 1420],
          [75, 1600],
        ].map(([n, us = 0]) => {
          return { n, cost_ns: us * US, low_ns: (us - 40) * US, high_ns: (us + 40) * US };
        }),
      },
    ],
    chosen: 0,
  });
});

test('a process or a kind of growth can be asked for', async () => {
  const { processes, growths, lines } = await load({ process: 'CALM' });
  expect([processes.map(({ pid }) => pid), growths, lines.map(({ pid }) => pid)]).toEqual([[32], [], [32]]);
  expect((await load({ what: 'exits' })).growths).toEqual([]);
  expect((await load({ what: 'threads', pid: 16 })).chosen).toBe(0);
});

test('a process whose one thread came and went at once is listed', async () => {
  const { start } = range;
  const short = await queryOf(
    new TraceWriter()
      .start(start, start)
      .fact(start, 'etw.trace', { schema: 1, cpu_count: 1, start_utc_ns: 0, end_ts: range.end })
      .process(start, 'short.exe', '', { pid: 48 })
      .thread(start + US, null, { tid: 52, pid: 48, create_ts: start + US, exit_ts: start + US })
      .fact(range.end, 'etw.end'),
  );
  const { processes } = await threads.load(short, readParams(threads.params, {}), range);
  expect(processes.map(({ pid, created, ended, most }) => ({ pid, created, ended, most }))).toEqual([
    { pid: 48, created: 1, ended: 1, most: 0 },
  ]);
});

test('the bars of creations and ends count them in each step', async () => {
  const { texts } = stillOf(threads, await load({}), range);
  const legend = texts.indexOf('threads created in each 333 µs (up)');
  expect(texts[legend + 1]).toBe('ended in each 333 µs (down)');
  expect(texts.slice(legend + 2).filter((text) => /^[\d,k]+$/.test(text))).toEqual(['10', '5', '0']);
});

test('a still is one SVG with the growth in words', async () => {
  const { texts } = stillOf(threads, await load({}), range);
  expect(texts.filter((text) => /from one to the next at first|O\(n\);|longer|R²/.test(text)))
    .toMatchInlineSnapshot(`
      [
        "80 threads of server.exe (pid 16): each takes longer the more there were, O(n); all together take O(n²); over what was measured like n^0.78 (0.58 to 0.98 at",
        "95 %, R² 0.99).",
        "200 µs from one to the next at first, 1.59 ms at last: 55.1 ms more in all than at the first one’s pace.",
      ]
    `);
});
