import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

describe('a word of a command', () => {
  test.each([
    'lock.etl',
    './a-b/c_1.etl',
    'my trace.etl',
    "Jo's 'a'.etl",
    '$HOME `id` "b" \\ & ;',
    'Prüf 测.etl',
    '-',
  ])('%s arrives in sh as it is', (word) => {
    const printed = execFileSync('sh', ['-c', `printf %s ${shellWord(word, 'linux')}`], { encoding: 'utf8' });
    expect(printed).toBe(word);
  });

  test.each([
    ['C:\\traces\\lock.etl', 'C:\\traces\\lock.etl'],
    ['process=a.exe', 'process=a.exe'],
    ['C:\\my traces\\lock.etl', '"C:\\my traces\\lock.etl"'],
    ["C:\\Jo's.etl", '"C:\\Jo\'s.etl"'],
    ['a&b', '"a&b"'],
    ['C:\\my traces\\', '"C:\\my traces\\\\"'],
    ['a "b\\"', '"a \\"b\\\\\\""'],
  ])('%s is written for the console of Windows as %s', (word, written) => {
    expect(shellWord(word, 'win32')).toBe(written);
  });
});
