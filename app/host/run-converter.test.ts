import { expect, test } from 'vitest';
import { converterError } from './run-converter.ts';

const ended = (status: string | number, message: string) =>
  converterError('a.etl', { status, message, printed: '', warnings: [] });

test.each([
  [
    'SIGABRT',
    'memory allocation of 4194304 bytes failed',
    'converter',
    'the converter needs more memory than it may have here',
  ],
  [
    'SIGABRT',
    'memory allocation of memory allocation of 80 bytes failed',
    'converter',
    'the converter needs more memory than it may have here',
  ],
  ['SIGXFSZ', '', 'converter', 'takes more room when it is converted than it may have here'],
  [2, '', 'not_a_trace', 'not readable as a trace'],
  ['SIGSEGV', '', 'converter', 'the converter failed (SIGSEGV)'],
])('a converter that ended with %s and %o is told as', (status, message, kind, words) => {
  expect(ended(status, message)).toMatchObject({ kind, message: `a.etl: ${words}` });
});

test('what the converter itself says is passed on', () => {
  expect(ended(2, 'a.etl: offset 16: no trace header')).toMatchObject({
    kind: 'not_a_trace',
    message: 'a.etl: offset 16: no trace header',
  });
  expect(ended(1, '--from: not a time')).toMatchObject({ kind: 'selection', message: '--from: not a time' });
});
