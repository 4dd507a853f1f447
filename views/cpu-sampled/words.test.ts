import { expect, test } from 'vitest';
import { emptyWords } from './words.ts';

test('an empty picture says why: nothing was recorded, nothing is in the range, or the filters hold all back', () => {
  expect([
    emptyWords({ unrecorded: 'No profile samples were recorded.', all_samples: 0 }),
    emptyWords({ unrecorded: null, all_samples: 0 }),
    emptyWords({ unrecorded: null, all_samples: 7 }),
  ]).toEqual([
    ['Not recorded', 'No profile samples were recorded.'],
    ['No samples here', 'In this range no sample was taken.'],
    ['No samples here', 'In this range no sample was taken that the filters let through.'],
  ]);
});
