import { expect, test } from 'vitest';
import type { Calls } from './load-calls.ts';
import type { Samples } from './load-samples.ts';
import { PlaceNumbers, sumByPlace } from './sum-by-place.ts';

test('samples of an owner in a place, by the innermost call', () => {
  const kindOf = (weight_ns: number) => ({
    utid: 1,
    rank: null,
    priority: null,
    mode: 'user' as const,
    weight_ns,
  });
  const samples: Samples = {
    count: 6,
    ts: Float64Array.of(1, 2, 3, 4, 5, 6),
    callsite: Int32Array.of(2, 1, 0, 2, 1, -1),
    kind: Int32Array.of(0, 0, 0, 1, 2, 0),
    kinds: [kindOf(10), kindOf(20), kindOf(40)],
  };
  const calls: Calls = {
    caller: Int32Array.of(-1, 0, 1),
    frame: Int32Array.of(0, 1, 2),
    image: Int32Array.of(0, 0, 1),
    rva: Float64Array.of(0, 300, 310),
    function: Int32Array.of(-1, -1, -1),
    images: ['a', 'b'],
    isGenerated: [false, false],
    functions: [],
  };
  const asked: number[] = [];
  const placeOf = (frame: number) => {
    asked.push(frame);
    return Math.min(1, frame);
  };
  const {
    count,
    owner,
    frame,
    samples: counts,
    cpu_ns,
  } = sumByPlace(samples, calls, Int32Array.of(7, 8, -1), placeOf);
  const row = (at: number) => [owner[at], frame[at], counts[at], cpu_ns[at]];
  expect(Array.from({ length: count }, (_, at) => row(at))).toEqual([
    [7, 2, 2, 20],
    [7, 0, 1, 10],
    [8, 2, 1, 20],
    [7, -1, 1, 10],
  ]);
  expect(asked).toEqual([2, 1, 0, -1]);
});

test('many groups have their sums', () => {
  const frames = Int32Array.from({ length: 5000 }, (_, at) => at);
  const samples: Samples = {
    count: 10_000,
    ts: new Float64Array(10_000),
    callsite: Int32Array.from({ length: 10_000 }, (_, at) => at % 5000),
    kind: new Int32Array(10_000),
    kinds: [{ utid: 1, rank: null, priority: null, mode: 'user', weight_ns: 3 }],
  };
  const none = new Int32Array(5000);
  const calls: Calls = {
    ...{ caller: none, frame: frames, image: none, rva: new Float64Array(5000), function: none },
    ...{ images: [''], isGenerated: [false], functions: [] },
  };
  const sums = sumByPlace(samples, calls, Int32Array.of(0), (frame) => frame);
  expect(sums.count).toBe(5000);
  expect(new Set(sums.samples.slice(0, 5000))).toEqual(new Set([2]));
  expect(new Set(sums.cpu_ns.slice(0, 5000))).toEqual(new Set([6]));
  expect(sums.frame.slice(0, 5000)).toEqual(frames);
});

test('places of files have numbers, also beyond 32 bits and before the start', () => {
  const numbers = new PlaceNumbers();
  const places = [0, 1, -1, 2 ** 32, 2 ** 32 + 1, 2 ** 56, -2];
  const all = [0, 1].flatMap((file) => places.map((place) => numbers.of(file, place)));
  expect(all).toEqual(all.map((_, at) => at));
  expect(places.map((place) => numbers.of(0, place))).toEqual(places.map((_, at) => at));
});
