import { parseHTML } from 'linkedom';
import { beforeAll, expect, test } from 'vitest';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { processorWith } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams, stillContext } from '../../shared/view/index.ts';
import { THREAD_CLASSES } from './classes.ts';
import type { PixelsAnswer, Stretch, SumsAnswer } from './questions.ts';
import { timeline } from './view.ts';

const START = 1_000_000_000;
const MS = 1_000_000;
const range = { start: START, end: START + 100 * MS };
const params = readParams(timeline.params, {});

/**
 * On the only CPU a hog of priority 4 runs from 10 to 60 ms, and keeps an app of rank 2 and priority 14 waiting, whom it woke at
 * 20 ms. The app then runs for 10 ms and sleeps.
 */
function heldUp(): Uint8Array {
  const run = { rank: 0, outPriority: 8, waitReason: 6, state: 5 };
  return new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: range.end })
    .process(START, 'Idle', '', { pid: 0 })
    .process(START, 'hog.exe', '', { pid: 8 })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, null, { tid: 9, pid: 8 })
    .thread(START, 'UI', { tid: 20, pid: 16 })
    .contextSwitch(START, 0, [9, 5, 6], [0, 0])
    .contextSwitch(START + 10 * MS, 0, [0, 2, 0], [9, 4, run])
    .readyThread(START + 20 * MS, 0, 20, 9)
    .contextSwitch(START + 60 * MS, 0, [9, 5, 6], [20, 14, { ...run, rank: 2, waitReason: 4 }])
    .contextSwitch(START + 70 * MS, 0, [20, 5, 4], [0, 0])
    .fact(range.end, 'etw.end')
    .finish();
}

let query: Query;
beforeAll(async () => {
  const processor = await processorWith(heldUp());
  query = makeQuery((sql) => Promise.resolve(processor.query(sql)));
});

async function load(given: Readonly<Record<string, unknown>> = {}) {
  const asked = readParams(timeline.params, given);
  const first = await timeline.load(query, asked, range);
  return (await timeline.later?.load(query, asked, range, first)) ?? first;
}

const ask = (question: unknown) => timeline.answer?.(query, question);

test('lists CPUs, and processes by the time that their threads were ready', async () => {
  const model = await load();
  expect(structuredClone(model)).toStrictEqual(model);
  const { tracks, judged } = model;
  expect(judged).toBeGreaterThan(0);
  expect(tracks.map(({ name, label, sums }) => [name, label, sums])).toEqual([
    ['c0', 'CPU 0', { running_ns: 60 * MS, ready_ns: 0, blocked_ns: 40 * MS, runs: 0, wakes: 0 }],
    ['p16', 'app.exe', { running_ns: 10 * MS, ready_ns: 40 * MS, blocked_ns: 50 * MS, runs: 1, wakes: 1 }],
    ['t20', 'UI', { running_ns: 10 * MS, ready_ns: 40 * MS, blocked_ns: 50 * MS, runs: 1, wakes: 1 }],
    ['p8', 'hog.exe', { running_ns: 50 * MS, ready_ns: 0, blocked_ns: 50 * MS, runs: 1, wakes: 0 }],
  ]);
});

test('a filter, pins and the order change which tracks come first', async () => {
  const names = async (given: Readonly<Record<string, unknown>>) =>
    (await load(given)).tracks.map(({ name }) => name);
  expect(await names({ filter: 'hog' })).toEqual(['p8', 't9']);
  expect(await names({ filter: '20' })).toEqual(['p16', 't20']);
  expect(await names({ order: 'cpu', open: '' })).toEqual(['c0', 'p8', 'p16']);
  expect(await names({ pinned: 't9', open: '' })).toEqual(['t9', 'c0', 'p16', 'p8']);
  expect(await names({ group: 'none' })).toEqual(['c0', 't20', 't9']);
  expect(await names({ open: '', order_from: START, order_to: START + 15 * MS, order: 'first' })).toEqual([
    'c0',
    'p8',
    'p16',
  ]);
});

test('answers with the pixels of a zoom, and words for what is wide', async () => {
  const { tracks } = await load();
  const app = tracks.find(({ name }) => name === 't20')?.key ?? '';
  const zoom = { start: START, pixel_ns: MS, pixels: 100 };
  const { cells, bars } = (await ask({ kind: 'pixels', zoom, tracks: [app] })) as PixelsAnswer;
  const middle = [...cells.subarray(800, 900)].map((of) => THREAD_CLASSES[of]?.label);
  expect([middle[5], middle[30], middle[65], middle[80]]).toEqual([
    'blocked for another reason',
    'ready: rank',
    'running',
    'sleeps',
  ]);
  expect(bars.map(({ ts, te, texts }) => [(ts - START) / MS, (te - START) / MS, texts[0]])).toEqual([
    [20, 60, 'ready: rank'],
    [70, 100, 'DelayExecution'],
  ]);
});

test('CPUs are coloured by rank or priority where that is asked for', async () => {
  const { tracks, cpu_classes } = await load({ color: 'rank' });
  const cpu = tracks.find(({ name }) => name === 'c0')?.key ?? '';
  const zoom = { start: START, pixel_ns: MS, pixels: 100 };
  const { cells, bars } = (await ask({ kind: 'pixels', zoom, tracks: [cpu] })) as PixelsAnswer;
  const middle = [...cells.subarray(800, 900)].map((of) => cpu_classes[of]?.label);
  expect([middle[5], middle[30], middle[65]]).toEqual(['idle, or not recorded', 'rank 0', 'rank 2 to 4']);
  expect(bars.map(({ texts }) => texts[0])).toEqual(['rank 0']);
  const { title } = (await ask({ kind: 'at', track: cpu, ts: START + 65 * MS })) as Stretch;
  expect(title).toBe('app.exe (tid 20) UI: ran on CPU 0');
});

test('says what a track did, why it was late, and who woke it', async () => {
  const { tracks } = await load();
  const key = tracks.find(({ name }) => name === 't20')?.key ?? '';
  const at = async (track: string, ms: number) =>
    (await ask({ kind: 'at', track, ts: START + ms * MS })) as Stretch;
  const ready = await at(key, 30);
  expect(ready).toMatchObject({ ts: START + 20 * MS, te: START + 60 * MS, pid: 16 });
  expect(ready.title).toBe('app.exe (tid 20) UI: ready: rank');
  expect(ready.facts).toEqual([
    ['Why late', 'rank'],
    ['Became ready', 'by hog.exe (tid 9)'],
    ['Rank', '2'],
    ['Priority', '14'],
    ['Then ran on', 'CPU 0'],
  ]);
  expect(ready.wake?.waker_label).toBe('hog.exe (tid 9)');
  expect((await at('c0', 65)).facts).toEqual([
    ['CPU', '0'],
    ['Process', 'app.exe'],
    ['Priority', '14'],
    ['Rank', '2'],
    ['Ready before', '40.0 ms'],
    ['Why late', 'rank'],
    ['Woken by', 'hog.exe (tid 9)'],
    ['Left the CPU as', 'Waiting, DelayExecution'],
  ]);
  expect((await at('c0', 90)).title).toBe('CPU 0 is idle');
  const utid = ready.wake?.waker_utid ?? -1;
  const woken = (await ask({ kind: 'woken', utid, start: START, end: range.end })) as Stretch;
  expect(woken.title).toBe('app.exe (tid 20) UI: ready: rank');
});

test('a range has time by state, thread and waker', async () => {
  const { tracks } = await load();
  const key = tracks.find(({ name }) => name === 't20')?.key ?? '';
  const covered = { start: START + 40 * MS, end: START + 80 * MS };
  const tables = (await ask({ kind: 'sums', ...covered, tracks: [key] })) as SumsAnswer;
  expect(tables.map(({ rows }) => rows)).toEqual([
    [
      ['running', 10 * MS, 0.25],
      ['ready: rank', 20 * MS, 0.5],
      ['sleeps', 10 * MS, 0.25],
    ],
    [['app.exe (tid 20) UI', 20 * MS, 10 * MS, 10 * MS]],
    [],
  ]);
  const all = { start: START, end: START + 80 * MS };
  const [, , wakers] = (await ask({ kind: 'sums', ...all, tracks: [] })) as SumsAnswer;
  expect(wakers?.rows).toEqual([['hog.exe (tid 9)', 1, 40 * MS]]);
});

test('a still shows the tracks, a lane for each', async () => {
  const model = await load();
  const { document } = parseHTML('<main></main>');
  const main = document.querySelector('main');
  if (main === null) throw new Error('no main');
  const summary = { range, cpuCount: 1 };
  timeline.draw(main, model, stillContext(summary, range, params));
  const texts = [...main.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(texts).toContain('Threads ran for 60.0 ms and were ready without a CPU for 40.0 ms.');
  expect(texts).toContain('Of this time: rank 100.0 %.');
  expect([...main.querySelectorAll('text.lane')].map(({ textContent }) => textContent)).toEqual([
    'CPU 0',
    'app.exe, pid 16, 1 thread',
    '  UI, tid 20',
    'hog.exe, pid 8, 1 thread',
  ]);
});
