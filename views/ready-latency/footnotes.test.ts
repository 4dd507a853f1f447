import { expect, test } from 'vitest';
import { footnotes } from './footnotes.ts';
import type { ReadyLatencyModel } from './model.ts';

const nothing = { count: 0, sum_ns: 0, p50_ns: 0, p90_ns: 0, p99_ns: 0, max_ns: 0, above_p99_ns: 0 };
const model: ReadyLatencyModel = {
  origin_ns: 0,
  unrecorded: null,
  notes: [],
  total: nothing,
  group_by: 'process',
  groups: [],
  histogram: [],
  only: null,
  listed: 0,
  waits: [],
  by_why: [],
  unjudged: null,
};

test('reasons are told where there are any', () => {
  expect(footnotes(model)).toEqual([]);
  const by_why = [
    { why: 'rank', count: 1, sum_ns: 19_493_000_000 },
    { why: 'priority', count: 499, sum_ns: 22_449_000_000 },
  ] as const;
  const total = { ...nothing, count: 10_000_000 };
  expect(footnotes({ ...model, total })).toEqual(['Percentiles are at most 2.4 % too high.']);
  expect(footnotes({ ...model, total, by_why })).toEqual([
    'Why the 500 longest were late, judged by a few instants of each: rank 19.493 s in 1, priority 22.449 s in 499.',
    'Percentiles are at most 2.4 % too high.',
  ]);
});
