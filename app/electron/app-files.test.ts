import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_HEADERS } from '../host/page.ts';
import { readAppFile } from './app-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outrank-ui-'));
  await mkdir(join(folder, 'ui'));
  await writeFile(join(folder, 'ui', 'index.html'), '<p>hello');
  await writeFile(join(folder, 'secret.html'), 'not for the page');
});
afterAll(() => rm(folder, { recursive: true }));

const read = (address: string) => readAppFile(address, 'outrank-app://app', join(folder, 'ui'));

test('a file of the app carries its type and the headers that confine the page', async () => {
  expect(await read('outrank-app://app/index.html?x#y')).toEqual({
    status: 200,
    headers: { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from('<p>hello'),
  });
});

test.each([
  'outrank-app://app/missing.html',
  'outrank-app://app/',
  'outrank-app://other/index.html',
  'outrank-app://app/../secret.html',
  'outrank-app://app/%2e%2e%2fsecret.html',
  'outrank-app://app/%00',
  'outrank-app://app/%',
  'https://app/index.html',
])('%s is not found', async (address) => {
  expect((await read(address)).status).toBe(404);
});
