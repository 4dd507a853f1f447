import { expect, test } from 'vitest';
import { readFileAddress, readLakeAddress } from './address.ts';

test.each([
  ['https://ci.example.com/builds/7/boot.etl', 'https://ci.example.com/builds/7/boot.etl'],
  ['https://ci.example.com/a;b,c d.etl?x=1#y', 'https://ci.example.com/a%3Bb%2Cc%20d.etl?x=1'],
  ['http://localhost:8000/boot.etl', 'http://localhost:8000/boot.etl'],
  // It could be read on its way.
  ['http://ci.example.com/boot.etl', null],
  // It names somebody.
  ['https://me:secret@ci.example.com/boot.etl', null],
  // It is no file: a policy would allow for all beneath it.
  ['https://ci.example.com/builds/', null],
  ['https://ci.example.com', null],
  ['file:///etc/passwd', null],
  ['javascript:alert(1)', null],
  [`https://ci.example.com/${'a'.repeat(2000)}`, null],
])('%s as the address of a file: %s', (text, address) => {
  expect(readFileAddress(text)?.href ?? null).toBe(address);
});

test.each([
  ['http://127.0.0.1:4000/?token=abc', { origin: 'http://127.0.0.1:4000', token: 'abc' }],
  [
    ' https://traces.example.com/lake#question=left-out ',
    { origin: 'https://traces.example.com', token: '' },
  ],
  ['https://traces.example.com', { origin: 'https://traces.example.com', token: '' }],
  [`https://traces.example.com/t/${'a'.repeat(64)}`, null],
  ['/srv/lake', null],
  ['outrank://open#1.x', null],
])('%s as the address of a lake: %j', (text, read) => {
  expect(readLakeAddress(text)).toEqual(read);
});
