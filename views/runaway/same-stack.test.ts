import { expect, test } from 'vitest';
import type { Calls } from '../../shared/samples/index.ts';
import { stackKeys } from './same-stack.ts';

/** The callsites 1 to 4 are called by 0; frames 0 and 1 are of a known function, the others of none. */
const calls: Calls = {
  caller: Int32Array.of(-1, 0, 0, 0, 0, -1, 1),
  frame: Int32Array.of(0, 2, 3, 4, 5, 1, 2),
  image: Int32Array.of(0, 0, 0, 0, 0, 1),
  rva: Float64Array.of(0x10, 0x5010, 0x1000, 0x1fff, 0x2000, 0x1000),
  function: Int32Array.of(0, 0, -1, -1, -1, -1),
  images: ['\\app.exe', '\\lib.dll'],
  isGenerated: [false, false],
  functions: [{ name: 'main', image: 0 }],
};

test('stacks are the same by function, without symbols by page of an image, and by all their callers', () => {
  const [main, page, samePage, nextPage, otherImage, alsoMain, twice] = stackKeys(calls);
  expect(alsoMain).toBe(main);
  expect(samePage).toBe(page);
  expect(new Set([main, page, nextPage, otherImage, twice]).size).toBe(5);
});
