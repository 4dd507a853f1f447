import { expect, test } from 'vitest';
import { estimateSwitches, firstChoice, partOf } from './part-choice.ts';

const overview = {
  limit: 100,
  duration_ns: 40,
  context_switches: 240,
  choices: [{ kind: 'scheduling', count: 240 }],
  timeline: {
    bucket_ns: 10,
    events: [60, 60, 60, 60],
    context_switches: [60, 60, 60, 60],
    busy: [1, 0.5, 0, 1],
  },
};

test('the estimate takes the covered part of each bucket', () => {
  expect(estimateSwitches(overview, { from_ns: 5, to_ns: 25, skip: [] })).toBe(120);
  expect(estimateSwitches(overview, { from_ns: 0, to_ns: 40, skip: ['generic'] })).toBe(240);
  expect(estimateSwitches(overview, { from_ns: 0, to_ns: 40, skip: ['scheduling'] })).toBe(0);
});

test('the first choice fills nine tenths of the limit', () => {
  expect(firstChoice(overview)).toEqual({ from_ns: 0, to_ns: 15, skip: [] });
  expect(firstChoice({ ...overview, limit: 1000 })).toEqual({ from_ns: 0, to_ns: 40, skip: [] });
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
