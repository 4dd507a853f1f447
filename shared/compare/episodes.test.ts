import { expect, test } from 'vitest';
import type { SignalId } from '../recording/index.ts';
import { whyNoEpisodes } from './episodes.ts';
import { Lengths } from './lengths.ts';

/** A trace that holds these signals, and has an episode of a key or not. */
function traceOf(held: readonly SignalId[], hasKey: boolean) {
  const lengths = new Lengths(Float64Array.of(1e6), [300], Float64Array.of(1));
  return {
    name: 'trace.etl',
    episodes: new Map(hasKey ? [['input' as const, lengths]] : []),
    recorded: { facts: new Map(), held: new Set(held), redacted: null, providers: [], missing_part: 0 },
  };
}

const ALL = ['input', 'focus', 'switch_states'] as const;

test('episodes are compared where both sides recorded what they need, though one has none', () => {
  expect(whyNoEpisodes('input', [traceOf(ALL, true)], [traceOf(ALL, true)])).toBeNull();
  expect(whyNoEpisodes('input', [traceOf(ALL, true)], [traceOf(ALL, false)])).toBeNull();
});

test('a side that did not record them is named; where neither has any nothing is said', () => {
  expect(whyNoEpisodes('input', [traceOf(['input'], false)], [traceOf(ALL, true)])).toBe(
    'Not compared: key or button to the next block. A (trace.etl) has no changes of the focus.',
  );
  expect(whyNoEpisodes('input', [traceOf([], false)], [traceOf([], false)])).toBeNull();
});
