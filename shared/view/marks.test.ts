import { expect, test } from 'vitest';
import { markLetter, MAX_MARKS, toggleMark, type Mark } from './marks.ts';

const marked = (...times: readonly number[]) =>
  times.reduce<readonly Mark[]>((marks, ts) => toggleMark(marks, { ts, label: `at ${ts}` }), []);

test('a second time removes the mark; the others keep their letters, and a new one takes the free letter', () => {
  expect(marked(10, 20, 30, 10, 40)).toEqual([
    { ts: 20, label: 'at 20', slot: 1 },
    { ts: 30, label: 'at 30', slot: 2 },
    { ts: 40, label: 'at 40', slot: 0 },
  ]);
  expect(marked(10, 20, 30, 10, 40).map(markLetter)).toEqual(['B', 'C', 'A']);
});

test('when all letters are taken the oldest mark gives way', () => {
  const marks = marked(...Array.from({ length: MAX_MARKS + 1 }, (_, ts) => ts));
  expect(marks).toHaveLength(MAX_MARKS);
  expect(marks[0]?.ts).toBe(1);
  expect(marks.at(-1)).toEqual({ ts: MAX_MARKS, label: `at ${MAX_MARKS}`, slot: 0 });
});
