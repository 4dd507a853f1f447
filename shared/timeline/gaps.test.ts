import { expect, test } from 'vitest';
import { joinGaps, withGaps } from './gaps.ts';
import { Lane } from './lane.ts';
import { stateOf, valueOf, type ThreadState } from './thread-state.ts';

const HIDDEN = [{ ts: 100, te: 200 }];

/** What a lane of such steps tells where the events of some CPU are missing from 100 to 200. */
function toldOf(steps: readonly (readonly [at: number, state: ThreadState])[]) {
  const lane = new Lane();
  for (const [at, state] of steps) lane.append(at, valueOf(state));
  const told = withGaps(lane, HIDDEN, { isTold: true, last: new Map() });
  return Array.from({ length: told.length }, (_, step) => [
    told.timeOf(step, 0),
    stateOf(told.valueOf(step)),
  ]);
}

test('gaps that touch or overlap are one', () => {
  const gaps = [
    { ts: 10, te: 30 },
    { ts: 50, te: 60 },
    { ts: 20, te: 40 },
    { ts: 40, te: 45 },
  ];
  expect(joinGaps(gaps)).toEqual([
    { ts: 10, te: 45 },
    { ts: 50, te: 60 },
  ]);
});

test('a thread that was blocked before a gap and runs after it was ready since then', () => {
  const steps = [
    [0, 'running'],
    [50, 'blocked'],
    [300, 'running'],
    [400, 'nothing'],
  ] as const;
  expect(toldOf(steps)).toEqual([
    [0, 'running'],
    [50, 'blocked'],
    [100, 'lost'],
    [200, 'ready'],
    [300, 'running'],
    [400, 'nothing'],
  ]);
});

test('one that was preempted before it may have run and waited meanwhile', () => {
  const steps = [
    [0, 'running'],
    [50, 'ready'],
    [300, 'running'],
    [400, 'nothing'],
  ] as const;
  expect(toldOf(steps)).toEqual([
    [0, 'running'],
    [50, 'ready'],
    [100, 'lost'],
    [300, 'running'],
    [400, 'nothing'],
  ]);
});

test('one that was woken in a gap and of whose run only the end was seen may be ready after that', () => {
  const steps = [
    ...([
      [0, 'running'],
      [50, 'blocked'],
      [150, 'ready'],
      [201, 'running'],
      [202, 'blocked'],
    ] as const),
    ...([
      [300, 'ready'],
      [310, 'nothing'],
    ] as const),
  ];
  expect(toldOf(steps).slice(2)).toEqual([
    [100, 'lost'],
    [200, 'ready'],
    [201, 'running'],
    [202, 'lost'],
    [300, 'ready'],
    [310, 'nothing'],
  ]);
  const seen = steps.map(([at, state]) => [at === 201 ? 205 : at === 202 ? 210 : at, state] as const);
  expect(toldOf(seen)).toContainEqual([210, 'blocked']);
});
