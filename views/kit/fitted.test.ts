import { expect, test } from 'vitest';
import { brokenLines, fitted, widthOf } from './fitted.ts';

test.each([
  ['svchost.exe', 11, 0, 'svchost.exe'],
  ['svchost.exe', 10, 0, 'svchost.e…'],
  ['a service host.exe (pid 1234)', 20, 11, 'a servic… (pid 1234)'],
  ['很长的名字.exe', 14, 0, '很长的名字.exe'],
  ['很长的名字.exe', 9, 0, '很长的名…'],
  ['🧵🔥🧵🔥', 5, 0, '🧵🔥…'],
  ['\u202eexe.drowssap (pid 8)', 40, 8, 'exe.drowssap (pid 8)'],
])('%j in %i characters, of which the last %i stay', (text, room, end, seen) => {
  expect(fitted(text, room, end)).toBe(seen);
});

test.each([
  ['svchost.exe', 11],
  ['很长的名字.exe', 14],
  ['🧵🔥', 4],
  ['\u202eexe', 3],
])('%j takes the room of %i characters', (text, room) => {
  expect(widthOf(text)).toBe(room);
});

test('a text is broken between words; a word that is too long has a line of its own', () => {
  expect(brokenLines('who ran  meanwhile: SearchIndexer.exe, and why', 10)).toEqual([
    'who ran ',
    'meanwhile:',
    'SearchIndexer.exe,',
    'and why',
  ]);
});
