import { expect, test } from 'vitest';
import { Lane } from './lane.ts';
import { appendSpans, depthOf } from './stack-spans.ts';

function stepsOf(lane: Lane): (readonly [number, number])[] {
  const steps: (readonly [number, number])[] = [];
  lane.visit(-1, Infinity, ({ ts, value }) => {
    if (ts > -Infinity) steps.push([ts, value]);
    return true;
  });
  return steps;
}

test('a span within another one holds as long as it lasts', () => {
  const lane = new Lane();
  appendSpans(lane, [
    { ts: 12, te: 14, value: 2 },
    { ts: 10, te: 20, value: 1 },
    { ts: 30, te: 40, value: 3 },
  ]);
  expect(stepsOf(lane)).toEqual([
    [10, 1],
    [12, 2],
    [14, 1],
    [20, 0],
    [30, 3],
    [40, 0],
  ]);
});

test('a span that outlasts the one that began before it holds to its end', () => {
  const lane = new Lane();
  appendSpans(lane, [
    { ts: 10, te: 20, value: 1 },
    { ts: 15, te: 30, value: 2 },
  ]);
  expect(stepsOf(lane)).toEqual([
    [10, 1],
    [15, 2],
    [30, 0],
  ]);
});

test('how many last at once', () => {
  expect(
    depthOf([
      { ts: 0, te: 10 },
      { ts: 5, te: 15 },
      { ts: 10, te: 12 },
    ]),
  ).toEqual([
    { ts: 0, te: 5, value: 1 },
    { ts: 5, te: 10, value: 2 },
    { ts: 10, te: 12, value: 2 },
    { ts: 12, te: 15, value: 1 },
  ]);
});
