import { expect, test } from 'vitest';
import { labelFrames, type Calls, type Samples } from '../samples/index.ts';
import { sumLabels, tellFunctions } from './functions.ts';
import { profileOf } from './call-runs.ts';
import { placeLabels } from './label-places.ts';
import { sumRuns } from './sum-calls.ts';

/** `main` calls `walk`, which calls itself directly, and once more by way of `visit`; then `read`. */
const FUNCTIONS = ['main', 'walk', 'visit', 'read'];
const calls: Calls = {
  caller: Int32Array.of(-1, 0, 1, 2, 3, 4, 0),
  frame: Int32Array.of(0, 1, 1, 2, 1, 3, 3),
  image: Int32Array.of(0, 0, 0, 0),
  rva: Float64Array.of(0x10, 0x20, 0x30, 0x40),
  function: Int32Array.of(0, 1, 2, 3),
  images: ['\\app.exe'],
  isGenerated: [false],
  functions: FUNCTIONS.map((name) => ({ name, image: 0 })),
};

/** One sample in each callsite. */
const samples: Samples = {
  count: 7,
  ts: Float64Array.of(0, 1, 2, 3, 4, 5, 6),
  callsite: Int32Array.of(0, 1, 2, 3, 4, 5, 6),
  kind: new Int32Array(7),
  kinds: [{ utid: 1, rank: null, priority: null, mode: 'user', weight_ns: 0 }],
};

function sum(chosen: string | null, rows = 500) {
  const { runs, samples: ordered } = profileOf(samples, calls);
  const sums = sumRuns([{ runs: ordered.run }], runs);
  const labels = labelFrames(calls, 'function');
  const places = placeLabels(runs, calls, labels);
  const ofLabels = sumLabels(sums, runs, labels, places, rows);
  return tellFunctions(ofLabels, sums, runs, calls, labels, places, { chosen, rows });
}

test('a stack with a function twice counts once for it', () => {
  expect(sum(null).functions.map(({ label, self, samples: all }) => `${label} ${self} ${all}`)).toEqual([
    'app.exe!walk 3 5',
    'app.exe!read 2 2',
    'app.exe!main 1 7',
    'app.exe!visit 1 3',
  ]);
});

test('callers and callees of a recursive function are those of its outermost call', () => {
  expect(sum('app.exe!walk').butterfly).toMatchObject({
    callers: [{ label: 'app.exe!main', samples: 5 }],
    callees: [
      { label: 'app.exe!visit', samples: 3 },
      { label: 'itself', samples: 2 },
    ],
  });
  expect(sum('app.exe!read').butterfly).toMatchObject({
    callers: [
      { label: 'app.exe!walk', samples: 1 },
      { label: 'app.exe!main', samples: 1 },
    ],
    callees: [{ label: 'itself', samples: 2 }],
  });
});

test('a function without samples has neither', () => {
  expect(sum('app.exe!idle').butterfly).toBeNull();
});

test('where there are more than are wanted, those with most samples are told, and how many there are', () => {
  const { functions, function_count, butterfly } = sum('app.exe!read', 1);
  expect(functions.map(({ label }) => label)).toEqual(['app.exe!walk']);
  expect(function_count).toBe(4);
  expect(butterfly).toEqual({
    chosen: { label: 'app.exe!read', module: 'app.exe', self: 2, samples: 2 },
    callers: [{ label: 'app.exe!walk', samples: 1 }],
    caller_count: 2,
    callees: [{ label: 'itself', samples: 2 }],
    callee_count: 1,
  });
});
