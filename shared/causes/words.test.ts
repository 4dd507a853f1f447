import { expect, test } from 'vitest';
import type { Owner } from './owner.ts';
import type { OwnerSum } from './sum-up.ts';
import { explainInWords } from './words.ts';

const sum = (utid: number, sum_ns: number, owner: Owner = 'ran'): OwnerSum => ({
  ...{ utid, owner, detail: null, sum_ns, parts: 1 },
  ...{ longest_ns: sum_ns, longest_ts: 0 },
});
const delay = { ts: 0, te: 1000, utid: 1 };
const words = (...sums: readonly OwnerSum[]) => explainInWords(delay, sums, (utid) => `thread ${utid}`);

test('the most of a delay is named, and how many parts the rest is in', () => {
  expect(words(sum(2, 990), sum(3, 10, 'idle_wake_up'))).toBe(
    'Of the 1.00 µs of thread 1, thread 2 ran for 990 ns (99.0 %); the rest is 10 ns in 1 part.',
  );
});

test('of many small parts the largest is named', () => {
  const many = Array.from({ length: 100 }, (_, at) => sum(at + 2, 10));
  expect(words(...many)).toBe(
    'Of the 1.00 µs of thread 1, thread 2 ran for 10 ns (1.0 %); the rest is 990 ns in 99 parts.',
  );
});
