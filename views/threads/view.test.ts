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
  }).toMatchInlineSnapshot(`
    {
      "chosen": 0,
      "created": 80,
      "ended": 10,
      "growths": [
        {
          "beyond_ns": 55110637,
          "bins": [
            {
              "cost_ns": 200000,
              "high_ns": 240000,
              "low_ns": 160000,
              "n": 5,
            },
            {
              "cost_ns": 380000,
              "high_ns": 420000,
              "low_ns": 340000,
              "n": 14,
            },
            {
              "cost_ns": 540000,
              "high_ns": 580000,
              "low_ns": 500000,
              "n": 22.5,
            },
            {
              "cost_ns": 720000,
              "high_ns": 760000,
              "low_ns": 680000,
              "n": 31,
            },
            {
              "cost_ns": 900000,
              "high_ns": 940000,
              "low_ns": 860000,
              "n": 40,
            },
            {
              "cost_ns": 1080000,
              "high_ns": 1120000,
              "low_ns": 1040000,
              "n": 49,
            },
            {
              "cost_ns": 1240000,
              "high_ns": 1280000,
              "low_ns": 1200000,
              "n": 57.5,
            },
            {
              "cost_ns": 1420000,
              "high_ns": 1460000,
              "low_ns": 1380000,
              "n": 66,
            },
            {
              "cost_ns": 1600000,
              "high_ns": 1640000,
              "low_ns": 1560000,
              "n": 75,
            },
          ],
          "count": 80,
          "dur": 71100000,
          "fit": {
            "base_ns": 99923,
            "exponent": {
              "high": 0.983,
              "low": 0.5761,
              "r2": 0.9921,
              "value": 0.7796,
            },
            "first_ns": 199580,
            "last_ns": 1594789,
            "order": "O(n)",
            "power": 1,
            "slope_ns": 19931.5,
          },
          "pid": 16,
          "process": "server.exe",
          "ts": 1101000,
          "what": "threads",
        },
      ],
      "lines": [
        [
          "server.exe (pid 16)",
          1,
          67,
          71,
        ],
        [
          "calm.exe (pid 32)",
          2,
          2,
          2,
        ],
      ],
      "notes": [],
      "origin_ns": 1000000,
      "processes": [
        {
          "at_end": 71,
          "at_start": 1,
          "created": 80,
          "ended": 10,
          "handle_change": null,
          "handles": 93,
          "most": 81,
          "pid": 16,
          "process": "server.exe",
        },
        {
          "at_end": 2,
          "at_start": 2,
          "created": 0,
          "ended": 0,
          "handle_change": 1,
          "handles": null,
          "most": 2,
          "pid": 32,
          "process": "calm.exe",
        },
      ],
      "steps": {
        "count": 300,
        "dur": 333334,
        "ts": 1000000,
      },
      "unrecorded": null,
    }
  `);
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
