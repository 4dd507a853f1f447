import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame } from './frame.ts';

test('a frame is the length of the JSON, the JSON, the bytes', () => {
  const frame = encodeFrame({ call: 7, bytes: new Uint8Array([1, 2, 3]) });
  expect([...frame]).toEqual([10, 0, 0, 0, ...new TextEncoder().encode('{"call":7}'), 1, 2, 3]);
  expect(decodeFrame(frame)).toEqual({ call: 7, bytes: new Uint8Array([1, 2, 3]) });
});

test('without bytes there is no property for them', () => {
  expect(decodeFrame(encodeFrame({ path: 'ü.etl' }))).toEqual({ path: 'ü.etl' });
});

test.each([
  ['shorter than its length', [1, 0, 0]],
  ['a length beyond the end', [3, 0, 0, 0, 0x7b, 0x7d]],
  ['no JSON', [2, 0, 0, 0, 0x7b, 0x7b]],
  ['no object', [1, 0, 0, 0, 0x37]],
])('%s is no frame', (_, bytes) => {
  expect(decodeFrame(new Uint8Array(bytes))).toBeNull();
});
