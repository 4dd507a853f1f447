import { expect, test } from 'vitest';
import type { EventShape } from '../../shared/events/index.ts';
import { pairEvents } from './event-spans.ts';

const shapeOf = (name: string, opcode = 0): EventShape => ({
  ...{ provider: 'Shop', name, event_id: 0, opcode, task: 0, level: 0, header: null, fields: '{}' },
});
const SHAPES = [
  shapeOf('Order/Start', 1),
  shapeOf('Order/Stop', 2),
  shapeOf('LoadBegin'),
  shapeOf('Load_End'),
  shapeOf('start'),
  // Another opcode says that it is no end.
  shapeOf('OrderStop', 10),
];

/** Pairs all of some events, each given by its shape, thread and activity. */
function pair(...events: readonly (readonly [shape: number, utid: number, activity: number])[]) {
  const column = (of: 0 | 1 | 2) => Uint32Array.from(events, (event) => event[of]);
  const all = { ts: Float64Array.from(events.keys()), shape: column(0), utid: column(1), shapes: SHAPES };
  const { events: first, stops } = pairEvents(all, [...events.keys()], column(2));
  return first.map((event, item) => [event, stops[item]]);
}

test('a stop ends the last open start of its thread', () => {
  expect(pair([0, 1, 0], [0, 1, 0], [0, 2, 0], [1, 1, 0], [1, 2, 0], [1, 1, 0], [1, 1, 0])).toEqual([
    [0, 5],
    [1, 3],
    [2, 4],
    [6, -1],
  ]);
});

test('a stop in an activity ends the start in it, whichever thread wrote that', () => {
  expect(pair([0, 1, 2], [0, 2, 1], [1, 3, 1], [1, 1, 0], [1, 2, 0], [1, 4, 2])).toEqual([
    [0, 5],
    [1, 2],
    [3, -1],
    [4, -1],
  ]);
});

test('without opcodes names tell the ends', () => {
  expect(pair([2, 0, 0], [4, 0, 0], [0, 0, 0], [5, 0, 0], [3, 0, 0])).toEqual([
    [0, 4],
    [1, -1],
    [2, -1],
    [3, -1],
  ]);
});
