import { expect, test } from 'vitest';
import { parentLabel } from './thread-names.ts';

test('a parent is told by name and id, one that is not in the trace by its id', () => {
  expect(parentLabel('shell.exe', 100)).toBe('shell.exe (pid 100)');
  expect(parentLabel(null, 100)).toBe('pid 100');
  expect(parentLabel(null, 0)).toBeNull();
  expect(parentLabel(null, null)).toBeNull();
});
