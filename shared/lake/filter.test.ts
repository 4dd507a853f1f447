import * as v from 'valibot';
import { expect, test } from 'vitest';
import { lakeFilter, LONGEST_TAG } from './filter.ts';

test('a filter takes every value that a tag may have, and no longer one', () => {
  const of = (length: number) => v.is(lakeFilter, { tags: { build: 'x'.repeat(length) } });
  expect([of(0), of(1), of(LONGEST_TAG), of(LONGEST_TAG + 1)]).toEqual([false, true, true, false]);
});
