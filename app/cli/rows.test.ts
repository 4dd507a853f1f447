import { expect, test } from 'vitest';
import { alignedTable } from './rows.ts';

test('a long text widens its own line alone, and no text changes how the terminal writes', () => {
  const long = 'W'.repeat(2000);
  const cells = [
    ['a.exe', '1', 'x'],
    [long, '22', 'y'],
    ['\u202eexe.\u0007b', '333', 'z'],
  ];
  const lines = [...alignedTable(['process', 'runs', 'last'], cells, (column) => column === 1)];
  expect(lines).toEqual([
    `process${' '.repeat(93)}  runs  last\n`,
    `a.exe${' '.repeat(95)}     1  x\n`,
    `${long}    22  y\n`,
    ` exe. b${' '.repeat(93)}   333  z\n`,
  ]);
});
