import { expect, test } from 'vitest';
import { fittedLabel } from './fitted-label.ts';

test.each([
  [34, 'svchost.exe Winmgmt (tid 20, pump)'],
  [33, 'svchost.exe Winmgmt (tid 20)'],
  [28, 'svchost.exe Winmgmt (tid 20)'],
  [27, '…chost.exe Winmgmt (tid 20)'],
  [16, '…inmgmt (tid 20)'],
  [10, '… (tid 20)'],
  [9, 'tid 20'],
  [6, 'tid 20'],
  [5, 'svch…'],
])('the label of a thread in the room of %i characters keeps its id: %s', (room, seen) => {
  expect(fittedLabel('svchost.exe Winmgmt (tid 20, pump)', room)).toBe(seen);
});

test.each([
  ['svchost.exe Winmgmt (pid 16)', 20, '…xe Winmgmt (pid 16)'],
  ['svchost.exe Winmgmt (pid 16)', 15, 'Winmgmt'],
  ['svchost.exe Winmgmt (pid 16)', 6, 'Winmg…'],
  ['chrome.exe (pid 8300)', 19, '…ome.exe (pid 8300)'],
  ['chrome.exe (pid 8300)', 18, 'chrome.exe'],
  ['chrome.exe (pid 8300)', 7, 'chrome…'],
  ['svchost.exe Winmgmt', 8, 'svchost…'],
  ['pid 9120', 6, 'pid 9…'],
  ['记事本程序.exe (tid 20)', 16, '…序.exe (tid 20)'],
  ['\u202eevil.exe (tid 20)', 16, '…il.exe (tid 20)'],
])('%j in the room of %i characters', (label, room, seen) => {
  expect(fittedLabel(label, room)).toBe(seen);
});
