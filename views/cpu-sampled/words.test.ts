import { expect, test } from 'vitest';
import { layOut, type FlameNode } from '../kit/index.ts';
import { emptyWords, foundWords } from './words.ts';

test('an empty picture says why: nothing is in the range, or the filters hold all back', () => {
  expect([emptyWords({ all_samples: 0 }), emptyWords({ all_samples: 7 })]).toEqual([
    'In this range no sample was taken.',
    'In this range no sample was taken that the filters let through.',
  ]);
});

const node = (key: number, label: string, samples: number, ...children: FlameNode[]): FlameNode => ({
  key,
  label,
  module: '',
  samples,
  self: 0,
  children,
});

/** `walk` calls itself by way of `visit`, and `read` calls it too. */
const root = node(
  0,
  'all',
  10,
  node(1, 'walk', 6, node(2, 'visit', 4, node(3, 'walk', 3))),
  node(4, 'read', 2, node(5, 'walk', 1)),
);

test.each([
  ['walk', null, '3 frames found, with 70.0 % of the samples'],
  ['visit', null, 'one frame found, with 40.0 % of the samples'],
  ['write', null, '0 frames found, with 0.0 % of the samples'],
  // Zoomed into `visit`, all that is shown is within `walk`.
  ['walk', 2, '2 frames found, with 40.0 % of the samples'],
  ['walk', 4, 'one frame found, with 10.0 % of the samples'],
])('%s, zoomed into %s: %s', (search, zoom, words) => {
  expect(foundWords(layOut(root, zoom), { upward: false, search }, { samples: 10 })).toBe(words);
});
