import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheDir, findCheckout, pathOf } from './locate.ts';

test.each([
  ['linux', {}, join(homedir(), '.cache', 'outrank')],
  ['linux', { XDG_CACHE_HOME: '/var/c' }, join('/var/c', 'outrank')],
  ['darwin', {}, join(homedir(), 'Library', 'Caches', 'Outrank')],
  ['win32', { LOCALAPPDATA: 'L' }, join('L', 'Outrank', 'Cache')],
  ['win32', { LOCALAPPDATA: 'L', OUTRANK_CACHE: '/here' }, '/here'],
])('the cache on %s with %j is %s', (platform, env, expected) => {
  expect(cacheDir(env, platform)).toBe(expected);
});

test('the checkout is found from within', () => {
  expect(join(findCheckout(import.meta.dirname), 'app', 'host')).toBe(import.meta.dirname);
  expect(() => findCheckout('/')).toThrow('/: not inside a checkout of Outrank');
});

test('a file is named by its path or by an address', () => {
  expect(['a b.etl', 'file:///tmp/a%20b.outrank', 'file://elsewhere/a.etl'].map(pathOf)).toEqual([
    'a b.etl',
    '/tmp/a b.outrank',
    'file://elsewhere/a.etl',
  ]);
});
