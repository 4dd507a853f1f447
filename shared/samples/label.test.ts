import { expect, test } from 'vitest';
import { labelFrames } from './label.ts';
import type { Calls } from './load-calls.ts';

const calls: Calls = {
  caller: Int32Array.of(-1),
  frame: Int32Array.of(0),
  image: Int32Array.of(0, 0, 1, 2),
  rva: Float64Array.of(0x10, 0x20, 0x10, -0x7ffffffff000),
  function: Int32Array.of(0, -1, -1, -1),
  images: ['\\a\\app.exe', '\\b\\app.exe', ''],
  isGenerated: [false, false, true],
  functions: [{ name: 'main', image: 0 }],
};

test.each([
  ['function', 'app.exe!main', [4]],
  ['function', 'app.exe+0x20', [1]],
  ['function', 'app.exe+0x10', [2]],
  ['function', '0xffff800000001000', [3]],
  ['function', 'other.exe+0x20', []],
  ['address', 'app.exe+0x10 main', [0]],
  ['module', 'app.exe', [0, 1]],
  ['module', 'unknown code', [2]],
] as const)('by %s, %s is the name of %o', (frames, name, labels) => {
  expect(labelFrames(calls, frames).named(name)).toEqual(labels);
});
