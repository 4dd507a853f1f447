import { expect, test } from 'vitest';
import type { Calls, Samples } from '../samples/index.ts';
import { profileOf } from './call-runs.ts';

test('runs end at samples, where calls part, and where callsites do not count up; samples are by kind', () => {
  const calls: Calls = {
    // 0 → 1 → 2 → 3, 1 → 4 → 5, and 6 on its own.
    caller: Int32Array.of(-1, 0, 1, 2, 1, 4, -1),
    frame: Int32Array.of(0, 1, 2, 3, 4, 5, 6),
    image: new Int32Array(7),
    rva: new Float64Array(7),
    function: new Int32Array(7).fill(-1),
    images: ['\\app.exe'],
    isGenerated: [false],
    functions: [],
  };
  const kind = { utid: 1, rank: null, priority: null, weight_ns: 0 };
  const kinds = [
    { ...kind, mode: 'user' },
    { ...kind, mode: 'kernel' },
  ] as const;
  const samples: Samples = {
    count: 4,
    ts: Float64Array.of(10, 20, 30, 40),
    callsite: Int32Array.of(5, 2, 3, 5),
    kind: Int32Array.of(0, 1, 0, 1),
    kinds,
  };
  expect(profileOf(samples, calls)).toEqual({
    runs: {
      count: 5,
      // 0 and 1; 2, where a sample ends; 3; 4 and 5; 6.
      first: Int32Array.of(0, 2, 3, 4, 6, 7),
      caller: Int32Array.of(-1, 0, 1, 0, -1),
      frame: Int32Array.of(1, 2, 3, 5, 6),
    },
    samples: {
      count: 4,
      ts: Float64Array.of(10, 30, 20, 40),
      run: Int32Array.of(3, 2, 1, 3),
      kinds,
      first: Int32Array.of(0, 2, 4),
    },
  });
});
