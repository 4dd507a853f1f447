import { expect, test } from 'vitest';
import { ParamError, readParams } from './params.ts';

const specs = {
  at_least_ms: {
    type: 'number',
    default: 1,
    min: 0,
    unit: 'ms',
    label: 'At least',
    help: 'Shortest wait shown.',
  },
  process: { type: 'text', default: null, label: 'Process', help: 'Part of its name.' },
  ranked: { type: 'flag', default: false, label: 'Rank above 0', help: 'Only ranked threads.' },
  cause: {
    type: 'choice',
    default: 'any',
    choices: ['any', 'wake'],
    label: 'Cause',
    help: 'Why it was ready.',
  },
} as const;

test('defaults fill what is not given, and text from a command line becomes what the parameter takes', () => {
  expect(readParams(specs, {})).toEqual({ at_least_ms: 1, process: null, ranked: false, cause: 'any' });
  expect(readParams(specs, { at_least_ms: '2.5', process: 'Lock', ranked: 'true', cause: 'wake' })).toEqual({
    at_least_ms: 2.5,
    process: 'Lock',
    ranked: true,
    cause: 'wake',
  });
});

test.each([
  [{ nonsense: 1 }, 'unknown parameter "nonsense": this view takes at_least_ms, process, ranked, cause'],
  [{ at_least_ms: 'soon' }, 'parameter "at_least_ms" takes a number from 0 on'],
  [{ at_least_ms: -1 }, 'parameter "at_least_ms" takes a number from 0 on'],
  [{ process: 4 }, 'parameter "process" takes text'],
  [{ ranked: 'maybe' }, 'parameter "ranked" takes true or false'],
  [{ cause: 'fate' }, 'parameter "cause" takes one of any, wake'],
])('%j is refused', (given, message) => {
  expect(() => readParams(specs, given)).toThrow(new ParamError(message));
});
