import { expect, test } from 'vitest';
import { fuzzyFind } from './fuzzy.ts';

const titles = [
  'Show the whole trace',
  'Wake chain',
  'Ready latency',
  'Release moments',
  'LockApp.exe (pid 5124)',
  'explorer.exe (pid 4012)',
  'svchost.exe tid 5128 (pid 988)',
];
const find = (typed: string) => fuzzyFind(titles, typed, (title) => title, 3);

test('letters that follow one another or begin words win; nothing typed keeps the order', () => {
  expect(find('wc')[0]).toBe('Wake chain');
  expect(find('rela')[0]).toBe('Ready latency');
  expect(find('relea')[0]).toBe('Release moments');
  expect(find('LA')[0]).toBe('LockApp.exe (pid 5124)');
  expect(find('512')).toEqual(['LockApp.exe (pid 5124)', 'svchost.exe tid 5128 (pid 988)']);
  expect(find('')).toEqual(titles.slice(0, 3));
});

test('what lacks a letter does not fit', () => {
  expect(find('wakez')).toEqual([]);
});
