import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingLanes } from './growing-lanes.ts';
import { Lane } from './lane.ts';

/** The steps of a lane: when each begins, and its value. */
function stepsOf(lane: Lane): readonly (readonly [number, number])[] {
  const steps: (readonly [number, number])[] = [];
  for (let block = 0; block < lane.blockCount; block++)
    for (let place = lane.firstOf(block); place < lane.endPlaceOf(block); place++)
      steps.push([lane.timeOf(place, block), lane.valueOf(place)]);
  return steps;
}

test('lanes that grow at once have the steps that each has which grows alone', () => {
  const later = fc.oneof(
    { weight: 40, arbitrary: fc.nat(2) },
    // Farther than a step may lie from the beginning of its block.
    { weight: 1, arbitrary: fc.constant(5_000_000_000) },
  );
  const step = fc.record({ lane: fc.nat(3), later, value: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
      const growing = new GrowingLanes();
      const alone = [new Lane(), new Lane(), new Lane(), new Lane()];
      let at = 0;
      for (const { lane, later, value } of steps) {
        at += later;
        growing.append(lane, at, value);
        alone[lane]?.append(at, value);
        expect(growing.lengthOf(lane)).toBe(alone[lane]?.length);
        expect(growing.lastOf(lane)).toBe(alone[lane]?.last);
      }
      const finished = growing.finish();
      alone.forEach((lane, number) => {
        expect(finished[number]?.length ?? 0).toBe(lane.length);
        expect(stepsOf(finished[number] ?? new Lane())).toEqual(stepsOf(lane));
      });
    }),
  );
});

test('the value of the last step is replaced', () => {
  const growing = new GrowingLanes();
  growing.replaceLast(2, 5);
  growing.append(2, 10, 1);
  growing.replaceLast(2, 5);
  growing.append(2, 20, 5);
  growing.append(2, 30, 1);
  expect(stepsOf(growing.finish()[2] ?? new Lane())).toEqual([
    [10, 5],
    [30, 1],
  ]);
});
