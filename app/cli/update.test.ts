import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { outrankIn } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'outrank-update-'));
const outrank = outrankIn(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `outrank update` against a registry that answers so. */
async function updateFrom(answer: RequestListener) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const finished = await outrank('update', '--registry', registry);
  server.close();
  return { ...finished, asked, registry };
}

test('a newer version is reported after one request', async () => {
  const { code, stdout, asked } = await updateFrom((_, response) => response.end('{"version":"0.10.0"}'));
  expect(asked).toEqual(['/outrank/latest']);
  expect(stdout).toBe(
    'Outrank 0.10.0 is there; this is 0.1.0. npm install --global outrank@0.10.0 installs it\n',
  );
  expect(code).toBe(0);
});

test('an older version is not called newer', async () => {
  const { stdout } = await updateFrom((_, response) => response.end('{"version":"0.0.99"}'));
  expect(stdout).toBe('Outrank 0.1.0 is the newest version\n');
});

test('what cannot be known is told', async () => {
  const unknown = 'outrank: whether there is a newer version than 0.1.0 is not known:';
  const missing = await updateFrom((_, response) => response.writeHead(404).end());
  expect(missing).toMatchObject({
    code: 1,
    stderr: `${unknown} ${missing.registry} has no package outrank\n`,
  });
  const nonsense = await updateFrom((_, response) => response.end('<html>'));
  expect(nonsense.stderr).toBe(`${unknown} the answer of ${nonsense.registry} is not JSON\n`);
  const elsewhere = await updateFrom((_, response) => response.writeHead(302, { location: '/x' }).end());
  expect(elsewhere).toMatchObject({ asked: ['/outrank/latest'], code: 1 });
  const offline = await outrank('update', '--registry', 'http://127.0.0.1:1');
  expect(offline).toMatchObject({ code: 1, stderr: `${unknown} http://127.0.0.1:1 cannot be reached\n` });
  const wrong = await outrank('update', '--registry', 'ftp://x');
  expect(wrong.stderr).toBe(
    'outrank: --registry takes an address that begins with https:// or http://, not "ftp://x"\n',
  );
});
