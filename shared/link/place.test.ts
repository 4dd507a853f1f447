import { expect, test } from 'vitest';
import { isEmpty, readFragment, START, writeFragment, type Place } from './place.ts';

const place: Place = {
  trace: 'ab'.repeat(32),
  view: 'ready-latency',
  sql: '',
  params: { process: 'Lock & Co', at_least_ms: 2.5 },
  range: { start: 1_000_000_000, end: 31_000_000_000 },
  selection: {
    span: { start: 30_333_000_000, end: 49_826_000_000 },
    thread: { tid: 5128, ts: 30_333_000_000 },
    pid: 77,
  },
  marks: [
    { slot: 1, ts: 30_333_000_000, label: 'LockApp.exe: Ready at' },
    { slot: 0, ts: 6_900_000_000, label: 'key @ home & away' },
  ],
};

const fragment =
  `v=2&trace=${'ab'.repeat(32)}&view=ready-latency&p.process=Lock+%26+Co&p.at_least_ms=2.5` +
  '&range=1000000000-31000000000&span=30333000000-49826000000&thread=5128%4030333000000&pid=77' +
  '&mark=1%4030333000000%40LockApp.exe%3A+Ready+at&mark=0%406900000000%40key+%40+home+%26+away';

test('a place reads back from its fragment; params come back as text, as from a command line', () => {
  expect(writeFragment(place)).toBe(fragment);
  expect(readFragment(`#${fragment}`)).toEqual({
    ...place,
    sql: '',
    params: { process: 'Lock & Co', at_least_ms: '2.5' },
  });
});

test('a link from before there were marks reads as a place without any', () => {
  expect(readFragment('#view=cpu-usage&span=5-9&pid=77')).toEqual({
    ...START,
    view: 'cpu-usage',
    selection: { span: { start: 5, end: 9 }, thread: null, pid: 77 },
  });
});

test('an event without length stays chosen', () => {
  expect(readFragment('span=5-5').selection.span).toEqual({ start: 5, end: 5 });
});

test('nothing is chosen at a place that was read from a fragment without a choice', () => {
  expect(isEmpty(readFragment('view=overview').selection)).toBe(true);
  expect(isEmpty(readFragment('view=overview&pid=0').selection)).toBe(false);
});

test('the start is an empty fragment', () => {
  expect(writeFragment(START)).toBe('');
  expect(readFragment('')).toEqual(START);
});

test.each([
  'trace=../../etc',
  'view=<b>',
  'range=9-1',
  'range=1e99-2',
  'thread=x@1',
  'pid=-1',
  'span=1',
  'mark=0@x@a',
  'mark=26@5@a',
  'mark=5',
  '%%%',
])('%s is left out', (text) => {
  expect(readFragment(text)).toEqual(START);
});
