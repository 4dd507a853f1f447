import { expect, test } from 'vitest';
import { labelWithin } from './flame-chart.ts';

test.each([
  ['app.exe!walk', 12, 'app.exe!walk'],
  ['app.exe!walk', 11, 'walk'],
  ['app.exe!walkTree', 5, 'walk…'],
  ['app.exe!走る関数', 8, '走る関数'],
  ['app.exe!走る関数', 7, '走る関…'],
  ['app.exe!\u202eevil', 12, 'app.exe!evil'],
])('%j in the room of %i characters', (label, room, seen) => {
  expect(labelWithin({ label, module: 'app.exe' }, room)).toBe(seen);
});
