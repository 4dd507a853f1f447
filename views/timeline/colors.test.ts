import { expect, test } from 'vitest';
import { BLOCKED_KINDS } from '../../shared/timeline/index.ts';
import { palettes } from '../kit/index.ts';
import { THREAD_CLASSES } from './classes.ts';
import { colorOf } from './colors.ts';

test.each(Object.entries(palettes))('each reason to be blocked has a colour of its own: %s', (_, palette) => {
  const blocked = THREAD_CLASSES.filter(({ state }) => state === 'blocked');
  const colors = blocked.map((of) => colorOf(palette, of));
  expect(new Set(colors).size).toBe(BLOCKED_KINDS.length);
});
