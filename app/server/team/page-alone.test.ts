import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import { send, startTestServer } from './testing.ts';

const folder = temporaryFolder();
const { url } = await startTestServer(folder);
const get = async (path: string) => {
  const { status, headers, body } = await send(url, 'GET', path);
  const { location = null, 'content-security-policy': policy } = headers;
  return { status, location, policy, body };
};

test('without its files the page that works alone is not there', async () => {
  expect(await get('/alone/')).toMatchObject({
    status: 404,
    body: expect.stringContaining('this server has no page that works alone') as string,
  });
});

test('the page that works alone is served to everybody, all of it under its own policy', async () => {
  const web = join(folder, 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  writeFileSync(join(web, 'index.html'), 'the page alone');
  writeFileSync(join(web, 'assets', 'worker.js'), 'a worker');
  writeFileSync(join(web, 'policy.txt'), "default-src 'none'; connect-src 'self'\n");
  const policy = "default-src 'none'; connect-src 'self'";
  expect(await get('/alone')).toMatchObject({ status: 302, location: '/alone/' });
  expect(await get('/alone/')).toMatchObject({ status: 200, policy, body: 'the page alone' });
  expect(await get('/alone/assets/worker.js')).toMatchObject({ status: 200, policy, body: 'a worker' });
  expect(await get('/alone/../tokens.json')).toMatchObject({ status: 404 });
  expect(await get('/alone/%2e%2e/tokens.json')).toMatchObject({ status: 404 });
});
