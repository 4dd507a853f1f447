import { expect, test } from 'vitest';
import { UsageError } from './command.ts';
import { readPart } from './part.ts';
import { parseTime, readRange } from './time.ts';

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

const WHOLE = { start: 1_000_000_000, end: 3_000_000_000 };

test('the part of a trace that is opened has units, too', () => {
  const part = { from: '0', to: '1000000005', only: [], skip: [] };
  expect(readPart(part)).toEqual(part);
  expect(() => readPart({ ...part, from: '5' })).toThrow(
    new UsageError(
      '--from takes a unit, such as 5s: a number without one is ns on the trace clock, which begins at 1000000000',
    ),
  );
});

test('a range is what of it lies in the trace', () => {
  expect(readRange(WHOLE, undefined, undefined)).toEqual(WHOLE);
  expect(readRange(WHOLE, '0.5s', '1s')).toEqual({ start: 1_500_000_000, end: 2_000_000_000 });
  expect(readRange(WHOLE, '0', '9s')).toEqual(WHOLE);
});

test.each([
  ['1s', '0.5s', '--from must be before --to'],
  ['2s', undefined, '--from 2s is after the end of the trace, at 2.000000 s'],
  [
    '4000000000',
    undefined,
    '--from 4000000000 is after the end of the trace, at 3000000000 ns on the trace clock',
  ],
  [
    undefined,
    '1000000000',
    '--to 1000000000 is before the start of the trace, at 1000000000 ns on the trace clock',
  ],
  [
    '1.5',
    '2',
    '--from takes a unit, such as 1.5s: a number without one is ns on the trace clock, which begins at 1000000000',
  ],
  [
    undefined,
    '999999999',
    '--to takes a unit, such as 999999999s: a number without one is ns on the trace clock, which begins at 1000000000',
  ],
])('a range from %s to %s is refused', (from, to, message) => {
  expect(() => readRange(WHOLE, from, to)).toThrow(new UsageError(message));
});
