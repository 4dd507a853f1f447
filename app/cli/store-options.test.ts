import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { readStoreOptions, STORE_OPTIONS } from './store-options.ts';

const read = (...args: readonly string[]) =>
  readStoreOptions(parseArgs({ args: ['--store', '/srv/outrank', ...args], options: STORE_OPTIONS }).values);

test('a proxy is believed the addresses of those who ask, and their names if it is said in which header', () => {
  expect(read().proxy).toBe(null);
  const plain = read('--trusted-proxy', '10.0.0.0/8,::1').proxy;
  expect(plain?.identity).toBe(null);
  expect(plain?.addresses.check('10.1.2.3')).toBe(true);
  expect(plain?.addresses.check('127.0.0.1')).toBe(false);
  const named = read('--trusted-proxy', '127.0.0.1', '--identity-header', 'X-User').proxy;
  expect(named?.identity).toEqual({ header: 'x-user', role: 'upload' });
});

test.each([
  [['--identity-header', 'X-User'], '--identity-header NAME is given with --trusted-proxy LIST'],
  [['--trusted-proxy', 'proxy.example'], '--trusted-proxy: "proxy.example" is no address or network'],
  [
    ['--trusted-proxy', '127.0.0.1', '--identity-header', 'a b'],
    '--identity-header NAME is given with --trusted-proxy LIST',
  ],
])('%j is refused', (args, message) => {
  expect(() => read(...args)).toThrow(message);
});
