import { expect, test } from 'vitest';
import { readFragment, START, writeFragment, type Place } from './place.ts';

const place: Place = {
  trace: 'ab'.repeat(32),
  view: 'ready-latency',
  params: { process: 'Lock & Co', at_least_ms: 2.5 },
  range: { start: 1_000_000_000, end: 31_000_000_000 },
  selection: {
    span: { start: 30_333_000_000, end: 49_826_000_000 },
    thread: { tid: 5128, ts: 30_333_000_000 },
    pid: 77,
  },
};

const fragment =
  `trace=${'ab'.repeat(32)}&view=ready-latency&p.process=Lock+%26+Co&p.at_least_ms=2.5` +
  '&range=1000000000-31000000000&span=30333000000-49826000000&thread=5128%4030333000000&pid=77';

test('a place reads back from its fragment; params come back as text, as from a command line', () => {
  expect(writeFragment(place)).toBe(fragment);
  expect(readFragment(`#${fragment}`)).toEqual({
    ...place,
    params: { process: 'Lock & Co', at_least_ms: '2.5' },
  });
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
  '%%%',
])('%s is left out', (text) => {
  expect(readFragment(text)).toEqual(START);
});
