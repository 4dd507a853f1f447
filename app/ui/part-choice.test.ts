import { expect, test } from 'vitest';
import { estimateBytes, firstChoice, partLabel, partOf, partRange } from './part-choice.ts';

const overview = {
  limit_bytes: 100,
  duration_ns: 40,
  choices: [
    { kind: 'scheduling', count: 200, engine_bytes: 200 },
    { kind: 'generic', count: 40, engine_bytes: 40 },
  ],
  timeline: {
    bucket_ns: 10,
    events: [60, 60, 60, 60],
    context_switches: [25, 25, 25, 25],
    busy: [1, 0.5, 0, 1],
  },
};

test('the estimate takes the covered part of each bucket, and the chosen kinds', () => {
  expect(estimateBytes(overview, { from_ns: 5, to_ns: 25, skip: [] })).toBe(120);
  expect(estimateBytes(overview, { from_ns: 0, to_ns: 40, skip: ['generic'] })).toBe(200);
  expect(estimateBytes(overview, { from_ns: 0, to_ns: 20, skip: ['scheduling'] })).toBe(20);
});

test('events of other kinds stand where the events are that are not of scheduling', () => {
  const late = { ...overview.timeline, events: [50, 50, 50, 90] };
  const choice = { from_ns: 0, to_ns: 30, skip: ['scheduling'] };
  expect(estimateBytes({ ...overview, timeline: late }, choice)).toBe(0);
});

test('the first choice fills nine tenths of the limit', () => {
  expect(firstChoice(overview)).toEqual({ from_ns: 0, to_ns: 15, skip: [] });
  expect(firstChoice({ ...overview, limit_bytes: 1000 })).toEqual({ from_ns: 0, to_ns: 40, skip: [] });
});

test('a part leaves open what is not limited', () => {
  expect(partOf(overview, { from_ns: 0, to_ns: 15.5, skip: [] })).toEqual({
    from: null,
    to: '16ns',
    only: [],
    skip: [],
  });
  expect(partOf(overview, { from_ns: 3, to_ns: 40, skip: ['generic'] })).toEqual({
    from: '3ns',
    to: null,
    only: [],
    skip: ['generic'],
  });
});

test('a part is told in words, and covers a range', () => {
  const part = { from: '36000000000ns', to: '48s', only: [], skip: ['generic', 'io'] };
  expect(partLabel(part)).toBe('36.000 s to 48s, without generic, io');
  expect(partLabel({ ...part, from: null, skip: [] })).toBe('up to 48s');
  expect(partLabel({ ...part, to: null, skip: [], only: ['scheduling'] })).toBe(
    'from 36.000 s, only scheduling',
  );
  const whole = { start: 1e9, end: 60e9 };
  expect(partRange({ ...part, to: '48000000000ns' }, whole)).toEqual({ start: 37e9, end: 49e9 });
  expect(partRange({ ...part, to: null }, whole)).toEqual({ start: 37e9, end: 60e9 });
  expect(partRange({ ...part, from: null }, whole)).toBeNull();
});
