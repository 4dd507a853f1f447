import { expect, test } from 'vitest';
import { labelFrames, type Calls, type Frames } from '../samples/index.ts';
import { profileOf } from './call-runs.ts';
import { placeLabels, type LabelPlaces } from './label-places.ts';

const CALLS = 400;

/** A tree of calls, deep, in which labels come back; frames are instructions of images. */
function treeOf(frames: number, images: number): Calls {
  let state = 7;
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
  return {
    caller: Int32Array.from({ length: CALLS }, (_, at) => (at === 0 ? -1 : at - 1 - below(Math.min(at, 3)))),
    frame: Int32Array.from({ length: CALLS }, () => below(frames)),
    image: Int32Array.from({ length: frames }, (_, at) => at % images),
    rva: Float64Array.from({ length: frames }, (_, at) => at),
    function: new Int32Array(frames).fill(-1),
    images: Array.from({ length: images }, (_, at) => `\\${at}.dll`),
    isGenerated: new Array<boolean>(images).fill(false),
    functions: [],
  };
}

/** The callers of a call, it first. */
function stackOf({ caller }: Calls, call: number): readonly number[] {
  const stack = [];
  for (let at = call; at >= 0; at = caller[at] ?? -1) stack.push(at);
  return stack;
}

/** For each label the runs with its outermost calls: by the tree, and by its places. */
function outermost(calls: Calls, frames: Frames) {
  const none = { ts: new Float64Array(0), callsite: new Int32Array(0), kind: new Int32Array(0) };
  const { runs } = profileOf({ count: 0, ...none, kinds: [] }, calls);
  const labels = labelFrames(calls, frames);
  const places = placeLabels(runs, calls, labels);
  const labelAt = (call: number) => labels.of[calls.frame[call] ?? 0] ?? 0;
  const expected = Array.from({ length: labels.count }, (): number[] => []);
  for (let run = 0; run < runs.count; run++) {
    for (let call = runs.first[run] ?? 0; call < (runs.first[run + 1] ?? 0); call++) {
      const above = stackOf(calls, call).slice(1).map(labelAt);
      if (!above.includes(labelAt(call))) expected[labelAt(call)]?.push(run);
    }
  }
  return { places, expected, found: expected.map((_, label) => runsOf(places, label)) };
}

function runsOf({ first, runs, endOfOutermost }: LabelPlaces, label: number): readonly number[] {
  return [...runs.subarray(first[label] ?? 0, endOfOutermost(label))];
}

test.each([
  ['a few instructions', 20, 4, 'address'],
  ['instructions that each are in few calls', 200, 4, 'address'],
  ['a few modules', 100, 5, 'module'],
  ['many modules', 100, 45, 'module'],
] as const)('the runs with an outermost call of each label: %s', (_, frames, images, kind) => {
  const { expected, found } = outermost(treeOf(frames, images), kind);
  expect(expected.some((runs) => runs.length > 1)).toBe(true);
  expect(found).toEqual(expected);
});

test('labels with one call are counted by its run, the others are told', () => {
  const calls = treeOf(300, 4);
  const { places } = outermost(calls, 'address');
  const counts = new Int32Array(300);
  for (const frame of calls.frame) counts[frame] = (counts[frame] ?? 0) + 1;
  expect(places.singles.reduce((sum, count) => sum + count, 0)).toBe(
    counts.filter((count) => count === 1).length,
  );
  expect([...places.multiple]).toEqual([...counts.keys()].filter((frame) => (counts[frame] ?? 0) > 1));
});
