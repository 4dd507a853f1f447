import { expect, test } from 'vitest';
import { markLabels } from './histogram.ts';

const at = (label: string, at_ns: number) => ({ label, at_ns });
const across = (ns: number) => ns;

test('marks apart have a label each, above them', () => {
  expect(markLabels([at('max', 300), at('p50', 10), at('p99', 100)], across)).toEqual([
    { text: 'p50', middle: 10 },
    { text: 'p99', middle: 100 },
    { text: 'max', middle: 300 },
  ]);
});

test('names that would cover one another are one, which may then cover the one before', () => {
  expect(markLabels([at('p50', 64), at('p90', 100), at('p99', 104), at('max', 400)], across)).toEqual([
    { text: 'p50, p90, p99', middle: 84 },
    { text: 'max', middle: 400 },
  ]);
});
