import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { lockScreenTrace } from '../../shared/engine/testing/lock-screen.ts';
import { processorWith } from '../../shared/engine/testing/start.ts';
import { formatCell } from '../../shared/model/index.ts';
import type { Meanwhile } from '../../shared/ready-waits/index.ts';
import { readParams, type ViewTable } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { loadWithMeanwhile } from './testing.ts';
import { readyLatency } from './view.ts';

const whole = { start: 1000, end: 2000 };
const processor = await processorWith(lockScreenTrace());
const startViewer = () => makeQuery((sql) => Promise.resolve(processor.query(sql)));
const query = startViewer();

const load = (given: Readonly<Record<string, unknown>>, range = whole) =>
  loadWithMeanwhile(query, readParams(readyLatency.params, given), range);

/** A table as text: a line for its title, its headings and each row. */
const print = ({ title, columns, rows }: ViewTable) => [
  title,
  columns.map((column) => column.title).join(' | '),
  ...rows.map((row) =>
    columns.map(({ kind }, index) => formatCell(row[index] ?? null, kind, whole.start)).join(' | '),
  ),
];

test('all that is drawn of a small trace: the waits, and what ran during the chosen one', async () => {
  const [longest] = (await load({})).waits;
  const model = await load({ wait_ts: longest?.ts, wait_tid: longest?.tid });
  expect(model.notes).toMatchInlineSnapshot(`
    [
      "Events were lost in one gap: waits and runs there may be missing, too long, or joined from two.",
    ]
  `);
  expect(model.meanwhile?.sentences).toMatchInlineSnapshot(`
    [
      "LockApp.exe (tid 20, Lock worker) was ready for 600 ns, at priority 14, rank 2.",
      "Swapping is why: its kernel stack or process was not in memory when it was readied, and had to be read in first. That took 400 ns (66.7 % of the wait). The rest: rank 33.3 %.",
      "Meanwhile the 2 CPUs ran rank 0 threads for 800 ns of CPU time, all of it at priority 8 to 10, below 14: those went first by rank alone.",
      "CPUs were idle for 400 ns of the 1.20 µs there were.",
    ]
  `);
  expect(readyLatency.tables(model, model.meanwhile).map(print)).toMatchInlineSnapshot(`
    [
      [
        "Longest ready waits",
        "Process | Thread | Ready | Why late | Rank | Recorded | Priority | Base | Cause | Ready at | Ran at |  | Waited before | Wait reason | Readied by | Boost | CPU | Thread name",
        "LockApp.exe | 20 | 600 ns | stack or process swapped out | 2 |  | 14 | 8 | wake | 0.000000 s | 0.000001 s |  | 50 ns | WrQueue | System (tid 8) | +6 | 0 | Lock worker",
        "busy.exe | 32 | 200 ns | preemption delay | 0 |  | 8 | 8 | preempted | 0.000000 s | 0.000000 s |  | – | WrQuantumEnd | – | – | 0 | –",
        "busy.exe | 31 | 90 ns | preemption delay | 0 |  | 10 | 8 | wake | 0.000000 s | 0.000000 s | ≥ | 210 ns | – | a DPC | +2 | 0 | –",
        "busy.exe | 31 | 90 ns | not explained | 0 |  | 9 | 8 | wake | 0.000001 s | – |  | 410 ns | WrAlertByThreadId | LockApp.exe (tid 20, Lock worker) | – | – | –",
        "LockApp.exe | 20 | 50 ns | not explained | 2 | 2 → ? | 14 | 8 | preempted | 0.000001 s | – |  | – | WrQuantumEnd | – | – | – | Lock worker",
        "busy.exe | 32 | 40 ns | preemption delay | 0 |  | 8 | 8 | wake | 0.000000 s | 0.000000 s |  | – | – | System (tid 8) | – | 0 | –",
      ],
      [
        "Why late",
        "Why late | Length | Share",
        "stack or process swapped out | 400 ns | 66.7 %",
        "rank | 200 ns | 33.3 %",
      ],
      [
        "What the CPUs did meanwhile",
        "What the CPUs did | CPU time | Share",
        "ran threads that went first by rank alone | 800 ns | 66.7 %",
        "idle | 400 ns | 33.3 %",
      ],
      [
        "What ran meanwhile, by rank and priority",
        "Rank | Priority | CPU time | Against the waiting thread",
        "0 | 10 | 200 ns | better rank, lower priority",
        "0 | 9 | 200 ns | better rank, lower priority",
        "0 | 8 | 400 ns | better rank, lower priority",
      ],
      [
        "Who ran meanwhile",
        "Process | Thread | Thread name | CPU time | Runs | better rank, lower priority | priority as high or higher | behind it in rank or priority | lower priority, rank not recorded",
        "busy.exe | 32 | – | 400 ns | 2 | 400 ns | – | – | –",
        "System | 8 | – | 200 ns | 1 | 200 ns | – | – | –",
        "busy.exe | 31 | – | 200 ns | 1 | 200 ns | – | – | –",
      ],
      [
        "Runs on each CPU meanwhile",
        "CPU | From | Length | CPU time | Thread | Rank | Priority | Against the waiting thread",
        "0 | 0.000000 s | 100 ns | 100 ns | busy.exe (tid 32) | 0 | 8 | better rank, lower priority",
        "0 | 0.000000 s | 200 ns | 200 ns | busy.exe (tid 31) | 0 | 10 | better rank, lower priority",
        "0 | 0.000000 s | 300 ns | 300 ns | busy.exe (tid 32) | 0 | 8 | better rank, lower priority",
        "1 | 0.000000 s | 200 ns | 200 ns | System (tid 8) | 0 | 9 | better rank, lower priority",
        "1 | 0.000000 s | 400 ns | 400 ns | idle | – | 0 | idle",
      ],
      [
        "Listed ready waits by main reason",
        "Why late | Waits | Sum",
        "stack or process swapped out | 1 | 600 ns",
        "preemption delay | 3 | 330 ns",
        "not explained | 2 | 140 ns",
      ],
      [
        "All ready waits (percentiles are at most 2.4 % too high)",
        "Waits | p50 | p90 | p99 | Longest | Sum above p99 | Sum",
        "6 | 90 ns | 600 ns | 600 ns | 600 ns | 0 ns | 1.07 µs",
      ],
      [
        "Ready waits by process (percentiles are at most 2.4 % too high)",
        "Process | Process id | Waits | p50 | p90 | p99 | Longest | Sum above p99 | Sum",
        "LockApp.exe | 16 | 2 | 50 ns | 600 ns | 600 ns | 600 ns | 0 ns | 650 ns",
        "busy.exe | 30 | 4 | 90 ns | 200 ns | 200 ns | 200 ns | 0 ns | 420 ns",
      ],
      [
        "Ready waits by length",
        "From | To | Waits",
        "100 ns | 126 ns | 4",
        "126 ns | 158 ns | 0",
        "158 ns | 200 ns | 0",
        "200 ns | 251 ns | 1",
        "251 ns | 316 ns | 0",
        "316 ns | 398 ns | 0",
        "398 ns | 501 ns | 0",
        "501 ns | 631 ns | 1",
      ],
    ]
  `);
});

const [LONGEST, LAST] = ['LockApp.exe 1200 +600', 'LockApp.exe 1950 +50'];
const PREEMPTED = 'busy.exe 1300 +200';

test.each([
  ['process', { process: 'LOCK' }, whole, [LONGEST, LAST], 2, 2],
  ['thread', { thread: '31' }, whole, ['busy.exe 1210 +90', 'busy.exe 1910 +90'], 2, 2],
  ['rank', { ranked_only: true }, whole, [LONGEST, LAST], 2, 2],
  ['cause', { cause: 'preempted' }, whole, [PREEMPTED, LAST], 2, 2],
  ['range', {}, { start: 1700, end: 2000 }, [LONGEST, 'busy.exe 1910 +90', LAST], 3, 3],
  ['least length, which only shortens the list', { at_least_ms: 0.0002 }, whole, [LONGEST, PREEMPTED], 2, 6],
  ['limit, which does neither', { limit: 1 }, whole, [LONGEST], 6, 6],
  ['name that is SQL', { process: "'; DROP TABLE etw_thread; --" }, whole, [], 0, 0],
])('let through by %s', async (_, given, range, waits, listed, count) => {
  const model = await load(given, range);
  expect(model.waits.map(({ process, ts, dur }) => `${process} ${ts} +${dur}`)).toEqual(waits);
  expect([model.listed, model.total.count]).toEqual([listed, count]);
});

test('rank and priority let only their waits through', async () => {
  const listed = async (given: Readonly<Record<string, unknown>>) =>
    (await load(given)).waits.map(({ process, rank, priority }) => `${process} ${rank} ${priority}`);
  expect(await listed({ rank: 2 })).toEqual(['LockApp.exe 2 14', 'LockApp.exe 2 14']);
  expect(await listed({ priority: 9 })).toEqual(['busy.exe 0 9']);
  expect(await listed({ rank: 2, priority: 9 })).toEqual([]);
});

test('only the waits after a wait with such a reason are listed; percentiles count all', async () => {
  const model = await load({ wait_reason: 'wrqu', limit: 5 });
  expect([
    model.waits.map(({ ts, wait_reason }) => [ts, wait_reason]),
    model.only,
    model.total.count,
  ]).toEqual([
    [
      [1200, 'WrQueue'],
      [1300, 'WrQuantumEnd'],
      [1950, 'WrQuantumEnd'],
    ],
    'of the 6 longest those of threads that had left their CPU for wrqu',
    6,
  ]);
  expect((await load({ wait_reason: 'WrQuantumEnd', limit: 1 })).waits.map(({ ts }) => ts)).toEqual([1300]);
});

test('a reason and a main reason are looked for one after the other', async () => {
  expect((await load({ wait_reason: 'wrqu', why: 'rank' })).only).toMatch(
    /^of the 6 longest those of threads that had left their CPU for wrqu, and of the 3 longest of these those with the main reason rank/,
  );
});

test('percentiles come by process, thread, rank or priority', async () => {
  const groups = async (group_by: string) => {
    const model = await load({ group_by });
    const table = readyLatency
      .tables(model)
      .find(({ title }) => title.startsWith(`Ready waits by ${group_by} (`));
    return table === undefined ? [] : print(table).slice(1);
  };
  expect(await groups('thread')).toEqual([
    'Process | Process id | Thread | Waits | p50 | p90 | p99 | Longest | Sum above p99 | Sum',
    'LockApp.exe | 16 | 20 | 2 | 50 ns | 600 ns | 600 ns | 600 ns | 0 ns | 650 ns',
    'busy.exe | 30 | 32 | 2 | 40 ns | 200 ns | 200 ns | 200 ns | 0 ns | 240 ns',
    'busy.exe | 30 | 31 | 2 | 90 ns | 90 ns | 90 ns | 90 ns | 0 ns | 180 ns',
  ]);
  expect(await groups('rank')).toEqual([
    'Rank | Waits | p50 | p90 | p99 | Longest | Sum above p99 | Sum',
    '2 | 2 | 50 ns | 600 ns | 600 ns | 600 ns | 0 ns | 650 ns',
    '0 | 4 | 90 ns | 200 ns | 200 ns | 200 ns | 0 ns | 420 ns',
  ]);
  expect((await groups('priority')).slice(1).map((row) => row.slice(0, 6))).toEqual([
    '14 | 2',
    '8 | 2 ',
    '9 | 1 ',
    '10 | 1',
  ]);
});

test('a still is one SVG, drawn without measuring, with trace text as text', async () => {
  const [longest] = (await load({})).waits;
  const params = readParams(readyLatency.params, { wait_ts: longest?.ts, wait_tid: longest?.tid });
  const { meanwhile, ...model } = await loadWithMeanwhile(query, params, whole);
  const detail = {
    ...meanwhile,
    sentences: ['<script>alert(1)</script>', ...(meanwhile?.sentences.slice(1) ?? [])],
  };
  const { svg, texts } = stillOf(readyLatency, model, whole, params, { detail });
  expect(svg.querySelectorAll('script')).toHaveLength(0);
  expect(texts).toMatchInlineSnapshot(`
    [
      "Ready latency",
      "Events were lost in one gap: waits and runs there may be missing, too long, or joined from two.",
      "ready waits 6, p50 90 ns, p90 600 ns, p99 600 ns, longest 600 ns, above p99 0 ns, all together 1.07 µs",
      "Why the 6 longest were late, judged by a few instants of each: stack or process swapped out 600 ns in 1, preemption delay 330 ns in 3, not explained 140 ns in 2.",
      "Percentiles are at most 2.4 % too high.",
      "Meanwhile",
      "0.000000 s to 0.000001 s",
      "<script>alert(1)</script>",
      "Swapping is why: its kernel stack or process was not in memory when it was readied, and had to be read in first. That took 400 ns (66.7 % of the wait). The",
      "rest: rank 33.3 %.",
      "Meanwhile the 2 CPUs ran rank 0 threads for 800 ns of CPU time, all of it at priority 8 to 10, below 14: those went first by rank alone.",
      "CPUs were idle for 400 ns of the 1.20 µs there were.",
      "stack or process swapped out (S): 400 ns, 66.7 %",
      "rank (R): 200 ns, 33.3 %",
      "stack or process swapped out 66.7 %",
      "rank 33.3 %",
      "better rank, lower priority",
      "idle",
      "0.0000000 s",
      "0.0000001 s",
      "0.0000002 s",
      "0.0000003 s",
      "0.0000004 s",
      "0.0000005 s",
      "0.0000006 s",
      "0.0000007 s",
      "0.0000008 s",
      "0.0000009 s",
      "0.0000010 s",
      "CPU 0",
      "CPU 1",
      "Longest waits over time",
      "length on a log scale",
      "rank above 0",
      "woken",
      "preempted",
      "10 ns",
      "100 ns",
      "1 µs",
      "0.0000000 s",
      "0.0000001 s",
      "0.0000002 s",
      "0.0000003 s",
      "0.0000004 s",
      "0.0000005 s",
      "0.0000006 s",
      "0.0000007 s",
      "0.0000008 s",
      "0.0000009 s",
      "0.0000010 s",
      "All waits by length",
      "both scales logarithmic",
      "1",
      "100 ns",
      "1 µs",
      "p50",
      "p90, p99, max",
    ]
  `);
});

test('two viewers of one engine that load at once each list their own waits, with why these were late', async () => {
  const loadFor = (process: string) =>
    readyLatency.load(startViewer(), readParams(readyLatency.params, { process }), whole);
  const alone = [await loadFor('LockApp'), await loadFor('busy')];
  expect(await Promise.all([loadFor('LockApp'), loadFor('busy')])).toEqual(alone);
});

test('the chosen wait is what is chosen in any view, or what params name', async () => {
  const [longest] = (await load({})).waits;
  const { ts = 0, dur = 0 } = longest ?? {};
  const tid = longest?.tid ?? 0;
  const chosen = { span: { start: ts, end: ts + dur }, thread: { tid, ts }, pid: null };
  const none = readParams(readyLatency.params, {});
  const { detail } = readyLatency;
  const meanwhile = (await detail?.load(query, detail.chosen(chosen, none), whole)) as Meanwhile | null;
  expect(meanwhile?.wait).toMatchObject({ ts, dur, tid });
  expect(detail?.chosen({ ...chosen, span: null }, none)).toBeNull();
  const named = readParams(readyLatency.params, { wait_ts: 1, wait_tid: 2 });
  expect(detail?.chosen(chosen, named)).toEqual({ wait_ts: 1, wait_tid: 2 });
});
