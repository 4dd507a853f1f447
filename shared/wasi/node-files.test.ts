import { expect, test } from 'vitest';
import { systemPath } from './node-files.ts';

test.each([
  ['linux', '/tmp/a.etl', '/tmp/a.etl'],
  ['win32', '/C:/Users/me/a.etl', 'C:/Users/me/a.etl'],
  ['win32', '/C:/Users/me/D:/a.etl', 'D:/a.etl'],
  ['win32', '/server/share/a.etl', '//server/share/a.etl'],
])('on %s a program means with %s the file %s', (platform, path, expected) => {
  expect(systemPath(path, platform)).toBe(expected);
});
