import { expect, test } from 'vitest';
import { UsageError } from './command.ts';
import { parseTime } from './time.ts';

test.each([
  ['30.3s', 31_300_000_000],
  ['500ms', 1_500_000_000],
  ['20us', 1_000_020_000],
  ['5ns', 1_000_000_005],
  ['1030000000', 1_030_000_000],
])('%s in a trace that starts at 1 s is %d ns', (text, expected) => {
  expect(parseTime('from', text, 1_000_000_000)).toBe(expected);
});

test.each(['', 'soon', '-1s', '1h', '1 s', '0x10'])('"%s" is no time', (text) => {
  expect(() => parseTime('from', text, 0)).toThrow(
    new UsageError(`--from takes a time such as 30.3s or 1000000000, not "${text}"`),
  );
});
