import { expect, test } from 'vitest';
import { emptyWords, missingNotes } from './notes.ts';

const recorded = { has_samples: true, has_stacks: true, has_symbols: true, losses: 0 };

test('an empty picture says why: nothing was recorded, nothing is in the range, or the filters hold all back', () => {
  const none = missingNotes({ ...recorded, has_samples: false });
  expect([
    emptyWords({ notes: none, all_samples: 0 }),
    emptyWords({ notes: missingNotes(recorded), all_samples: 0 }),
    emptyWords({ notes: missingNotes(recorded), all_samples: 7 }),
  ]).toEqual([
    [
      'Not recorded',
      'No samples were recorded, so it is not known which code ran. Record with the kernel flag PROFILE (in WPR: the CPU profile).',
    ],
    ['No samples here', 'In this range no sample was taken.'],
    ['No samples here', 'In this range no sample was taken that the filters let through.'],
  ]);
});
