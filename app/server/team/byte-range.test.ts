import { expect, test } from 'vitest';
import { readByteRange } from './byte-range.ts';

test.each([
  ['bytes=0-', { first: 0, last: 9 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=4-4', { first: 4, last: 4 }],
  ['bytes=4-100', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-100', { first: 0, last: 9 }],
  ['bytes=10-', 'beyond'],
  ['bytes=-0', 'beyond'],
  ['bytes=5-4', null],
  ['bytes=0-1,4-5', null],
  ['bytes=-', null],
  ['lines=0-1', null],
  ['bytes=99999999999999999999-', null],
  [undefined, null],
] as const)('of 10 bytes %s asks for %o', (header, range) => {
  expect(readByteRange(header, 10)).toEqual(range);
});

test('an empty file has no bytes to ask for', () => {
  expect(readByteRange('bytes=0-', 0)).toBe('beyond');
  expect(readByteRange('bytes=-5', 0)).toBe('beyond');
});
