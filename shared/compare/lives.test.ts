import { expect, test } from 'vitest';
import type { SignalId } from '../recording/index.ts';
import { whyNoLives } from './lives.ts';

function traceOf(held: readonly SignalId[], starts: number) {
  const counts = { process: 0, starts: Float64Array.of(starts), exits: Float64Array.of(0) };
  return {
    name: 'trace.etl',
    lives: starts > 0 ? [counts] : [],
    recorded: { facts: new Map(), held: new Set(held), redacted: null, providers: [], missing_part: 0 },
  };
}

test('starts are compared where both sides have events of processes, though one has no start', () => {
  expect(whyNoLives([traceOf(['processes'], 0)], [traceOf(['processes'], 2)])).toBeNull();
});

test('a side without events of processes is named, where the other one has starts', () => {
  expect(whyNoLives([traceOf([], 0)], [traceOf(['processes'], 2)])).toBe(
    'Not compared: starts and exits of processes. A (trace.etl) has no events of processes.',
  );
  expect(whyNoLives([traceOf([], 0)], [traceOf(['processes'], 0)])).toBeNull();
});
