import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { converterError } from './converter-talk.ts';
import { assertConvertible } from './run-converter.ts';
import { temporaryFolder } from './testing/real.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

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

test.each([
  ['win32', 60, 'refused'],
  ['win32', 61, 'taken'],
  ['linux', 60, 'taken'],
] as const)(
  'on %s, files of 61 bytes where a conversion may take %i bytes of memory are %s',
  async (platform, memoryBytes, outcome) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
    const folder = temporaryFolder();
    const [one, two] = [join(folder, 'a.etl'), join(folder, 'b.etl')];
    writeFileSync(one, 'x'.repeat(60));
    writeFileSync(two, 'x');
    const message = `${one} + ${two}: has 61 B: here no more than ${memoryBytes} B are converted, since Windows does not limit what a conversion takes`;
    const asked = assertConvertible([one, two], { memoryBytes, fileBytes: 1 });
    if (outcome === 'taken') await expect(asked).resolves.toBe(undefined);
    else await expect(asked).rejects.toMatchObject({ kind: 'converter', message });
  },
);
