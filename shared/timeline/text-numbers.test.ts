import { expect, test } from 'vitest';
import { TextNumbers } from './text-numbers.ts';

test('a text is worked out once, and a row without one each time', () => {
  const asked: (string | null)[] = [];
  const column = {
    values: Uint8Array.of(1, 0, 1, 0),
    present: Uint8Array.of(1, 1, 1, 0),
    texts: ['a', 'bcd'],
  };
  const numbers = new TextNumbers(column, (text) => asked.push(text) && (text?.length ?? 7));
  expect([0, 1, 2, 3].map((row) => numbers.at(row))).toEqual([3, 1, 3, 7]);
  expect(asked).toEqual(['bcd', 'a', null]);
});

test('texts in UTF-8 are decoded as they are asked for', () => {
  const utf8 = { bytes: new TextEncoder().encode('abcd'), starts: Uint32Array.of(0, 1, 4) };
  const column = { values: Uint32Array.of(0, 1), present: null, texts: null, utf8 };
  const numbers = new TextNumbers(column, (text) => text?.length ?? 7);
  expect([1, 0, 1].map((row) => numbers.at(row))).toEqual([3, 1, 3]);
});
