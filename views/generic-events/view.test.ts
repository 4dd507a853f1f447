import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { marksToToggle } from './mark-lines.ts';
import type { EventsModel } from './model.ts';
import { genericEvents } from './view.ts';

const MS = 1_000_000;
const START = 1000 * MS;
const whole = { start: START, end: START + 300 * MS };

const ACTIVITY = '6f669bfa-816a-4204-a824-47c8e6a00474';

/** Two providers: one of windows, one of files. */
async function windowsAndFiles(): Promise<Query> {
  return queryOf(
    new TraceWriter()
      .start(START, START)
      .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: whole.end })
      .process(START, 'shell.exe', '', { pid: 16 })
      .process(START, 'indexer.exe', '', { pid: 32 })
      .thread(START, 'UI', { tid: 20, pid: 16 })
      .thread(START, null, { tid: 36, pid: 32 })
      .genericEvent(START + 10 * MS, 'Win32k/Focus', [16, 20], 1, { Pid: 16, Title: 'A 100% "quoted" title' })
      .genericEvent(START + 20 * MS, 'Win32k/Focus', [16, 20], 1, { Pid: 32, Since_ts: START, Held_ns: 5000 })
      .genericEvent(START + 20 * MS + 1000, 'Win32k/Move', [16, 20], 2, { Rect: { x: 1, y: 2 } })
      .genericEvent(
        START + 200 * MS,
        'Files/Open',
        [32, 36],
        7,
        { Path: 'C:\\Users\\me\\a.txt' },
        { header: { ActivityId: ACTIVITY, SessionId: 1 } },
      )
      .fact(whole.end, 'etw.end'),
  );
}

const query = await windowsAndFiles();

const load = (given: Readonly<Record<string, unknown>> = {}, range = whole) =>
  genericEvents.load(query, readParams(genericEvents.params, given), range);

const shell = {
  provider: 'Win32k',
  process: 'shell.exe',
  service: null,
  tid: 20,
  pid: 16,
  cpu: 0,
  level: 0,
  header: {},
};
const first = {
  ...shell,
  ts: START + 10 * MS,
  event: 'Focus',
  fields: { Pid: 16, Title: 'A 100% "quoted" title' },
};
const second = {
  ...shell,
  ts: START + 20 * MS,
  event: 'Focus',
  fields: { Pid: 32, Since_ts: START, Held_ns: 5000 },
};

test('all that is drawn of one kind of event: its fields are columns', async () => {
  const model = await load({ provider: 'Win32k', event: 'Focus' });
  const { edges, counts, lines, ...rest } = model;
  expect([edges.length, edges[0], edges[300]]).toEqual([301, whole.start, whole.end]);
  const filled = (values: readonly number[]) =>
    Object.fromEntries([...values.entries()].filter(([, value]) => value !== 0));
  expect([filled(counts), lines.map((line) => [line.label, filled(line.counts)])]).toEqual([
    { 10: 1, 20: 1 },
    [['Win32k/Focus', { 10: 1, 20: 1 }]],
  ]);
  expect(rest).toEqual({
    origin_ns: START,
    unrecorded: null,
    notes: [],
    provider: 'Win32k',
    event: 'Focus',
    kinds: [
      { provider: 'Win32k', event: 'Focus', count: 2 },
      { provider: 'Win32k', event: 'Move', count: 1 },
      { provider: 'Files', event: 'Open', count: 1 },
    ],
    count: 2,
    events: [first, second],
    fields: ['Pid', 'Title', 'Since_ts', 'Held_ns'],
  } satisfies Omit<EventsModel, 'edges' | 'counts' | 'lines'>);
  const [tree, events] = genericEvents.tables(model);
  expect(tree?.rows).toEqual([
    ['Win32k', '2 kinds', 3],
    ['    Win32k', 'Focus', 2],
    ['    Win32k', 'Move', 1],
    ['Files', '1 kind', 1],
  ]);
  expect(events?.columns.map(({ name, kind }) => [name, kind])).toEqual([
    ['ts', 'time_ns'],
    ['Pid', 'text'],
    ['Title', 'text'],
    ['Since_ts', 'time_ns'],
    ['Held_ns', 'duration_ns'],
    ['process', 'text'],
    ['tid', 'text'],
    ['cpu', 'text'],
    ['level', 'text'],
  ]);
});

test('events of several kinds have their fields in a line', async () => {
  const model = await load({}, { start: START + 15 * MS, end: START + 300 * MS });
  expect(genericEvents.tables(model)[1]?.rows.map((row) => row.slice(1, 4))).toEqual([
    ['Win32k', 'Focus', `Pid=32, Since_ts=${START}, Held_ns=5000`],
    ['Win32k', 'Move', 'Rect={"x":1,"y":2}'],
    ['Files', 'Open', 'Path=C:\\Users\\me\\a.txt'],
  ]);
});

const found = async (given: Readonly<Record<string, unknown>>) => {
  const { events, count } = await load(given);
  expect(events.length).toBe(count);
  return events.map(({ ts }) => (ts - START) / MS);
};

test('search finds text in fields, their names, and the names of kinds, and takes it as it is', async () => {
  expect(await found({ search: 'users\\ME' })).toEqual([200]);
  expect(await found({ search: '"quoted"' })).toEqual([10]);
  expect(await found({ search: '100% ' })).toEqual([10]);
  expect(await found({ search: '1_0' })).toEqual([]);
  expect(await found({ search: 'rect' })).toEqual([20.001]);
  expect(await found({ search: 'focus' })).toEqual([10, 20]);
});

test('an event has what its header tells, and is found by its activity but not by the rest', async () => {
  const { events } = await load({ search: ACTIVITY.toUpperCase() });
  expect(events.map(({ event, header }) => [event, header])).toEqual([
    ['Open', { ActivityId: ACTIVITY, SessionId: 1 }],
  ]);
  expect(await found({ search: 'SessionId' })).toEqual([]);
});

test('filters by process and thread, by id or by part of the name', async () => {
  expect(await found({ process: 'index' })).toEqual([200]);
  expect(await found({ process: '16', thread: 'ui' })).toEqual([10, 20, 20.001]);
  expect(await found({ thread: '36' })).toEqual([200]);
  expect(await found({ process: 'nobody' })).toEqual([]);
});

test('the list is cut off, the counts are not', async () => {
  const { events, count } = await load({ limit: 1 });
  expect([events.length, count]).toEqual([1, 4]);
});

test('a still says how long the steps are in which the chart counts', async () => {
  const { texts } = stillOf(genericEvents, await load(), whole);
  expect(texts).toContain('4 in this range, counted in steps of 1.00 ms');
});

test('marks are added until all are there, and then taken away', () => {
  const events = [
    { ts: 1, label: 'a' },
    { ts: 2, label: 'b' },
  ];
  expect(marksToToggle(events, [{ ts: 1, label: 'other', slot: 0 }])).toEqual([{ ts: 2, label: 'b' }]);
  expect(
    marksToToggle(
      events,
      [0, 1].map((slot) => ({ ts: slot + 1, label: '', slot })),
    ),
  ).toEqual(events);
});
