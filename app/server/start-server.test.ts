import { readdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectHost } from '../host/connect-host.ts';
import { WHOLE } from '../host/part.ts';
import { webSocketPort } from '../../shared/border/index.ts';
import { startHost, temporaryFolder } from '../host/testing/real.ts';
import { startServer } from './start-server.ts';
import type { RunningServer } from './start-server.ts';
import { ask, signIn } from './testing.ts';

const folder = temporaryFolder();
const trace = join(folder, 'given.etl');
let server: RunningServer;
let cookie: string;
let origin: string;

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  server = await startServer({
    host: startHost(join(folder, 'cache')),
    ui: folder,
    traces: [trace],
    uploadsDir: folder,
    uploadLimitBytes: 10,
    hostName: '127.0.0.1',
    port: 0,
  });
  origin = new URL(server.url).origin;
  cookie = await signIn(server.url);
});
afterAll(() => server.close());

/** The folder's uploads, by name. */
const uploads = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /uploads-\w+.\w+.\w/.test(path),
  );

test('the token is exchanged for a cookie, and leaves the address', async () => {
  const { search } = new URL(server.url);
  const { status, headers, body } = await ask(server.url, `/${search}`);
  expect(status).toBe(200);
  expect(headers['set-cookie']?.[0]).toMatch(/^outrank-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
  expect(body).toContain('<script src="/enter.js"></script>');
});

test('with the cookie the page is served, under a strict policy', async () => {
  const { status, headers, body } = await ask(server.url, '/', { headers: { cookie } });
  expect({ status, body }).toEqual({ status: 200, body: '<!doctype html>' });
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
});

test('the page is told which trace to open', async () => {
  const { body } = await ask(server.url, '/start.json', { headers: { cookie } });
  expect(JSON.parse(body)).toEqual({
    path: trace,
    part: WHOLE,
    with: [],
  });
});

test.each([
  ['no token', '/', {}],
  ['a wrong token', '/?token=no', {}],
  ['a wrong cookie', '/', { cookie: 'outrank-1=no' }],
  ['the token elsewhere than at the root', '/start.json?token=TOKEN', {}],
  ['a foreign name of this machine', '/', { cookie: 'COOKIE', host: 'evil.example' }],
  ['a foreign origin', '/start.json', { cookie: 'COOKIE', origin: 'http://evil.example' }],
  ['a wrong token in a header', '/start.json', { authorization: 'Bearer no' }],
  [
    'a page elsewhere that has the token',
    '/start.json',
    { authorization: 'TOKEN', origin: 'http://evil.example' },
  ],
])('%s is refused', async (_, path, headers: { cookie?: string; authorization?: string }) => {
  const token = new URL(server.url).searchParams.get('token') ?? '';
  const filled = {
    ...headers,
    ...(headers.cookie === 'COOKIE' && { cookie }),
    ...(headers.authorization === 'TOKEN' && { authorization: `Bearer ${token}` }),
  };
  const { status } = await ask(server.url, path.replace('TOKEN', token), { headers: filled });
  expect(status).toBe(403);
});

test('a program that brings the token in a header is served, also what it posts', async () => {
  const token = new URL(server.url).searchParams.get('token') ?? '';
  const headers = { authorization: `Bearer ${token}` };
  expect((await ask(server.url, '/start.json', { headers })).status).toBe(200);
  expect((await ask(server.url, '/export?name=a.pftrace', { headers, body: '' })).status).toBe(200);
});

test.each(['/../secret', '/%2e%2e/secret', '/..%2fsecret', '/%00', '/%', '/cache', '//', 'http://['])(
  'nothing is served for %s',
  async (path) => {
    expect((await ask(server.url, path, { headers: { cookie } })).status).toBe(404);
  },
);

test('a dropped file is kept under a harmless name until the server ends', async () => {
  const path = `/upload?name=${encodeURIComponent('../../a<b>.etl')}`;
  const answer = await ask(server.url, path, { headers: { cookie, origin }, body: 'bytes' });
  const kept = (JSON.parse(answer.body) as { path: string }).path;
  expect(answer.status).toBe(200);
  expect(basename(kept)).toBe('a_b_.etl');
  expect(kept.startsWith(folder)).toBe(true);
});

test('a page of another origin, or of none, cannot upload', async () => {
  const before = uploads();
  for (const headers of [{ cookie }, { cookie, origin: 'null' }, { origin }]) {
    expect((await ask(server.url, '/upload?name=a', { headers, body: 'x' })).status).toBe(403);
  }
  expect(uploads()).toEqual(before);
});

test('nothing stays of an upload that is too large', async () => {
  const before = uploads();
  const answer = await ask(server.url, '/upload?name=a', {
    headers: { cookie, origin },
    body: 'eleven bytes',
  });
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 413,
    body: 'The file is too large for this server: more than 10 bytes.\n',
  });
  expect(uploads()).toEqual(before);
});

test.each([
  ['no cookie', {}],
  ['no origin', { cookie: 'COOKIE' }],
  ['a foreign origin', { cookie: 'COOKIE', origin: 'http://evil.example' }],
  ['a foreign host', { cookie: 'COOKIE', origin: 'http://evil.example', host: 'evil.example' }],
])('a WebSocket with %s is refused', async (_, headers: { cookie?: string }) => {
  const filled = { ...headers, ...(headers.cookie === 'COOKIE' && { cookie }) };
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, { headers: filled });
  const [error] = (await once(socket, 'error')) as [Error];
  expect(error.message).toBe('Unexpected server response: 403');
});

test('only the traces that were given can be opened', async () => {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, { headers: { cookie, origin } });
  await once(socket, 'open');
  const host = connectHost(webSocketPort(socket));
  await expect(host.open('/etc/passwd', {})).rejects.toMatchObject({
    name: 'OpenError',
    kind: 'refused',
    message: '/etc/passwd: not among the traces that this server was given',
  });
  await expect(host.open(trace, {})).rejects.toMatchObject({
    kind: 'file',
    message: `${trace}: no such file`,
  });
  socket.close();
});

test('a message that is no frame ends the connection, and the server goes on', async () => {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, { headers: { cookie, origin } });
  await once(socket, 'open');
  socket.send('text');
  expect((await once(socket, 'close'))[0]).toBe(1003);
  expect((await ask(server.url, '/', { headers: { cookie } })).status).toBe(200);
});

test('a message that is too long ends the connection, and the server goes on', async () => {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, { headers: { cookie, origin } });
  await once(socket, 'open');
  socket.on('error', () => undefined);
  socket.send(Buffer.alloc(5 << 20));
  await once(socket, 'close');
  expect((await ask(server.url, '/', { headers: { cookie } })).status).toBe(200);
});
