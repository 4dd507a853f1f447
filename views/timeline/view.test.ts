import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { FIRST_READY, THREAD_CLASSES } from './classes.ts';
import type { FlameAnswer, PixelsAnswer, Stretch, SumsAnswer } from './questions.ts';
import { heldUp, MS, range, START } from './testing.ts';
import { timeline } from './view.ts';

const params = readParams(timeline.params, {});

const query = await queryOf(heldUp());

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
  const { cells, bars } = (await ask({ kind: 'pixels', zoom, tracks: [app], line: null })) as PixelsAnswer;
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
  const { cells, bars } = (await ask({ kind: 'pixels', zoom, tracks: [cpu], line: null })) as PixelsAnswer;
  const middle = [...cells.subarray(800, 900)].map((of) => cpu_classes[of]?.label);
  expect([middle[5], middle[30], middle[65]]).toEqual(['idle, or not recorded', 'rank 0', 'rank 2 to 4']);
  expect(bars.map(({ texts }) => texts[0])).toEqual(['rank 0']);
  const { title } = (await ask({ kind: 'at', track: cpu, ts: START + 65 * MS })) as Stretch;
  expect(title).toBe('app.exe (tid 20, UI): ran on CPU 0');
});

test('answers where the model was kept and nothing was loaded', async () => {
  const { tracks } = await load({ color: 'rank' });
  const keys = ['c0', 't20'].map((name) => tracks.find((track) => track.name === name)?.key ?? '');
  const fresh = await queryOf(heldUp());
  const zoom = { start: START, pixel_ns: MS, pixels: 100 };
  const asked = { kind: 'pixels', zoom, tracks: keys, judged: true, line: null };
  const { bars } = (await timeline.answer?.(fresh, asked)) as PixelsAnswer;
  expect(bars.map(({ texts }) => texts[0])).toEqual(['rank 0', 'ready: rank', 'DelayExecution']);
});

test('tables of a range tell the causes where the model was kept and nothing was loaded', async () => {
  const fresh = await queryOf(heldUp());
  const asked = { kind: 'sums', ...range, tracks: [], judged: true };
  const [states] = (await timeline.answer?.(fresh, asked)) as SumsAnswer;
  expect(states?.rows.map(([state]) => state)).toContain('ready: rank');
});

test('says what a track did, why it was late, and who woke it', async () => {
  const { tracks } = await load();
  const key = tracks.find(({ name }) => name === 't20')?.key ?? '';
  const at = async (track: string, ms: number) =>
    (await ask({ kind: 'at', track, ts: START + ms * MS })) as Stretch;
  const ready = await at(key, 30);
  expect(ready).toMatchObject({ ts: START + 20 * MS, te: START + 60 * MS, pid: 16 });
  expect(ready.title).toBe('app.exe (tid 20, UI): ready: rank');
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
  const woken = (await ask({ kind: 'woken', utid, ts: START + 5 * MS })) as Stretch;
  expect(woken.title).toBe('app.exe (tid 20, UI): ready: rank');
});

test('a process tells what its only thread did, or the shares of what several did', async () => {
  const { tracks } = await load();
  const only = tracks.find(({ name }) => name === 'p16')?.key ?? '';
  const alone = (await ask({ kind: 'at', track: only, ts: START + 30 * MS, px_ns: MS })) as Stretch;
  expect(alone.title).toBe('app.exe (tid 20, UI): ready: rank');

  const run = { rank: 0, outPriority: 8, waitReason: 6, state: 5 };
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: range.end })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, null, { tid: 20, pid: 16 })
    .thread(START, null, { tid: 21, pid: 16 })
    .contextSwitch(START + 10 * MS, 0, [0, 2, 0], [20, 8, run])
    .contextSwitch(START + 30 * MS, 0, [20, 2, 6], [21, 8, run])
    .contextSwitch(START + 70 * MS, 0, [21, 2, 6], [0, 0])
    .fact(range.end, 'etw.end')
    .finish();
  const two = await queryOf(trace);
  const model = await timeline.load(two, params, range);
  const track = model.tracks.find(({ name }) => name === 'p16')?.key ?? '';
  const both = await timeline.answer?.(two, { kind: 'at', track, ts: START + 40 * MS, px_ns: 20 * MS });
  expect(both).toMatchObject({
    title: 'app.exe: what its 2 threads did',
    pid: 16,
    ts: START + 30 * MS,
    te: START + 50 * MS,
    facts: [
      ['running', '50.0 %'],
      ['waits for an event or object', '50.0 %'],
    ],
  });
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
    [['app.exe (tid 20, UI)', 20 * MS, 10 * MS, 10 * MS]],
  ]);
  const all = { start: START, end: START + 80 * MS };
  const [, , wakers] = (await ask({ kind: 'sums', ...all, tracks: [] })) as SumsAnswer;
  expect(wakers?.rows).toEqual([['hog.exe (tid 9)', 1, 40 * MS]]);
});

/** A provider starts and stops tasks, one within another, and reports a step. A disk reads. A CPU is sampled. */
async function busyMachine(): Promise<Query> {
  const app = [16, 20] as const;
  const read = { DiskNumber: 1, IrpFlags: '0', TransferSize: 4096, IssuingThreadId: 20 };
  return queryOf(
    new TraceWriter()
      .start(START, START)
      .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: range.end })
      .process(START, 'app.exe', '', { pid: 16 })
      .thread(START, 'UI', { tid: 20, pid: 16 })
      .contextSwitch(START, 0, [0, 0, 0], [0, 0])
      .contextSwitch(START + 1 * MS, 0, [20, 5, 4], [0, 0])
      .genericEvent(START + 10 * MS, 'Shop/Order/Start', app, 1, { Id: 7 }, { opcode: 1 })
      .genericEvent(START + 20 * MS, 'Shop/Order/Start', app, 1, { Id: 8 }, { opcode: 1 })
      .genericEvent(START + 25 * MS, 'Shop/Step', app, 3, {})
      .genericEvent(START + 30 * MS, 'Shop/Order/Stop', app, 2, {}, { opcode: 2 })
      .genericEvent(START + 60 * MS, 'Shop/Order/Stop', app, 2, {}, { opcode: 2 })
      .genericEvent(START + 70 * MS, 'Shop/Order/Stop', app, 2, {}, { opcode: 2 })
      .genericEvent(START + 80 * MS, 'Other/Thing', app, 1, {})
      .ioEvent(START + 50 * MS, 'DiskIo/Read', app, { ...read, HighResResponseTime_ns: 10 * MS }, 10 * MS)
      .beginSamples(START, [['a.exe', 0x1000, 0x2000]], [[0, 0x10, 'work']], [[0]])
      .sample(START + 5 * MS, 0, app, { stack: 0, isKernel: false, value: 10_000 * 0x1_0000 })
      .sample(START + 6 * MS, 0, app, { stack: 0, isKernel: true, value: 10_000 * 0x1_0000 })
      .fact(range.end, 'etw.end'),
  );
}

test('operations of disks, events of chosen providers and samples are tracks', async () => {
  const busy = await busyMachine();
  const asked = readParams(timeline.params, { events: 'shop' });
  const first = await timeline.load(busy, asked, range);
  const { tracks } = (await timeline.later?.load(busy, asked, range, first)) ?? first;
  const shown = tracks.filter(({ kind }) => kind === 'items' || kind === 'samples');
  expect(shown.map(({ name, label, aside }) => [name, label, aside])).toEqual([
    ['disk-operations', 'Disk operations', '1'],
    ['events-Shop', 'Shop', '6'],
    ['samples', 'Samples', '2'],
  ]);
  const keys = shown.map(({ key }) => key);
  const zoom = { start: START, pixel_ns: MS, pixels: 100 };
  const answer = (await timeline.answer?.(busy, {
    kind: 'pixels',
    zoom,
    tracks: keys,
    line: null,
  })) as PixelsAnswer;
  const at = (track: number, row: number, pixel: number) => answer.cells[(track * 16 + row) * 100 + pixel];
  // The read lasts from 40 to 50 ms.
  expect([39, 40, 49, 50].map((pixel) => at(0, 8, pixel) === 0)).toEqual([true, false, false, true]);
  // Outer and inner orders have one colour; what has no length is a tick above them.
  expect([9, 10, 20, 59, 60].map((pixel) => at(1, 8, pixel))).toEqual([0, 1, 1, 1, 0]);
  expect([at(1, 0, 25), at(1, 0, 70), at(1, 8, 70)]).toEqual([2, 3, 0]);
  // One of two CPUs was sampled: half of the height.
  expect([0, 7, 8, 15].map((row) => at(2, row, 5))).toEqual([0, 0, 1, 1]);
  expect([at(2, 15, 6), at(2, 15, 7)]).toEqual([2, 0]);

  const ask = (question: object) => timeline.answer?.(busy, question) as Promise<Stretch | null>;
  const [disk = '', events = '', samples = ''] = keys;
  const order = await ask({ kind: 'at', track: events, ts: START + 22 * MS, px_ns: MS });
  expect(order).toMatchObject({ ts: START + 20 * MS, te: START + 30 * MS, title: 'Order' });
  expect(order?.facts).toEqual([
    ['Provider', 'Shop'],
    ['Written by', 'app.exe (tid 20, UI)'],
    ['Stopped by', 'Order/Stop'],
    ['Id', '8'],
    ['Holds then too', 'Order, 50.0 ms'],
  ]);
  expect(order?.open?.params).toEqual({ provider: 'Shop', event: 'Order/Start' });
  const next = await ask({ kind: 'next', track: events, ts: START + 60 * MS, step: 1 });
  expect([next?.title, next?.ts]).toEqual(['Order/Stop', START + 70 * MS]);
  const transfer = await ask({ kind: 'at', track: disk, ts: START + 45 * MS, px_ns: 0 });
  expect([transfer?.title, transfer?.facts]).toEqual([
    'read',
    [
      ['Disk', '1'],
      ['Asked by', 'app.exe (tid 20, UI)'],
      ['Size', '4.1 kB'],
    ],
  ]);
  const sample = await ask({ kind: 'at', track: samples, ts: START + 6.4 * MS, px_ns: MS });
  expect([sample?.title, sample?.facts[0]]).toEqual(['app.exe (tid 20, UI): sampled', ['Mode', 'kernel']]);
  const covered = { kind: 'flame', start: START, end: START + 5.5 * MS, tracks: [] };
  const flame = (await timeline.answer?.(busy, covered)) as FlameAnswer;
  expect([flame?.samples, flame?.weight_ns]).toEqual([1, MS]);
  expect(flame?.root.children.map(({ label, samples, self }) => [label, samples, self])).toEqual([
    ['a.exe!work', 1, 1],
  ]);
  expect(await timeline.answer?.(busy, { ...covered, start: START + 50 * MS, end: range.end })).toBeNull();
  const none = await timeline.load(busy, readParams(timeline.params, { events: 'nobody' }), range);
  expect(none.notes).toContain('No provider of generic events has this in its name.');
});

test('without context switches what else happened is shown, with the note that these are missing', async () => {
  const read = { DiskNumber: 1, IrpFlags: '0', TransferSize: 4096, IssuingThreadId: 20 };
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: range.end })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, 'UI', { tid: 20, pid: 16 })
    .ioEvent(START + 50 * MS, 'DiskIo/Read', [16, 20], { ...read, HighResResponseTime_ns: 10 * MS }, 10 * MS)
    .fact(range.end, 'etw.end')
    .finish();
  const unswitched = await queryOf(trace);
  const model = await timeline.load(unswitched, params, range);
  expect(model.tracks.map(({ label }) => label)).toEqual(['Disk', 'Disk operations']);
  expect([model.unrecorded, model.cpu_classes]).toEqual([null, []]);
  expect(model.notes[0]).toMatch(/^No context switches were recorded: what ran is not known/);
  const { texts } = stillOf(timeline, model, range);
  expect(texts).toEqual(expect.arrayContaining(['Disk', 'one disk operation']));
  expect(texts.filter((text) => text.includes('threads ran'))).toEqual([]);
});

test('what was not judged of the ready time is said, so that the parts add up', async () => {
  const model = await load();
  const class_ns = model.class_ns.map((ns, of) => (of === FIRST_READY ? 10 * MS : ns));
  const { texts } = stillOf(timeline, { ...model, class_ns }, range);
  expect(texts).toContain('Of this time: rank 80.0 %, not judged 20.0 %.');
});

test('a still shows the tracks, a lane for each', async () => {
  const { svg, texts } = stillOf(timeline, await load(), range);
  expect(texts).toContain('Within 100 ms threads ran for 60.0 ms and were ready without a CPU for 40.0 ms.');
  expect(texts).toContain('Of this time: rank 100.0 %.');
  // Wide stretches have words, also in the track of a process with one thread. Each legend names its tracks.
  expect(texts.filter((text) => text === 'ready: rank')).toHaveLength(3);
  expect(texts).toEqual(expect.arrayContaining(['Threads', 'CPUs', 'CPU 0']));
  expect([...svg.querySelectorAll('text.lane')].map(({ textContent }) => textContent)).toEqual([
    'CPU 0',
    'app.exe, pid 16, 1 thread',
    '  UI, tid 20',
    'hog.exe, pid 8, 1 thread',
  ]);
});
