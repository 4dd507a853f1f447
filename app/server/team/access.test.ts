import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../host/testing/free-port.ts';
import { temporaryFolder } from '../../host/testing/real.ts';
import { readAddresses } from './access.ts';
import { RateLimit } from './rate-limit.ts';
import { send, startTestServer } from './testing.ts';
import type { TestServer } from './testing.ts';
import { addToken, revokeTokens } from './tokens.ts';

const folder = temporaryFolder();
const ID = '0'.repeat(64);
let server: TestServer;
let origin: string;
beforeAll(async () => {
  server = await startTestServer(folder);
  origin = new URL(server.url).origin;
});

async function signIn(token: string): Promise<string> {
  const { headers } = await send(server.url, 'POST', '/sign-in', { headers: { origin }, body: token });
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

test.each([
  ['GET', '/api/traces'],
  ['GET', `/api/traces/${ID}`],
  ['GET', `/api/traces/${ID}/file`],
  ['DELETE', `/api/traces/${ID}`],
  ['POST', '/api/uploads'],
  ['HEAD', '/api/uploads/0'],
  ['PATCH', '/api/uploads/0'],
  ['DELETE', '/api/uploads/0'],
  ['GET', `/t/${ID}/start.json`],
  ['GET', '/metrics'],
])('%s %s wants a token', async (method, path) => {
  expect((await send(server.url, method, path)).status).toBe(401);
});

test('the page of a trace asks those for a token who have none, under the address of the trace', async () => {
  const moved = await send(server.url, 'GET', `/t/${ID}`);
  expect({ status: moved.status, location: moved.headers.location }).toEqual({
    status: 302,
    location: `/t/${ID}/`,
  });
  const { status, headers, body } = await send(server.url, 'GET', `/t/${ID}/`);
  expect({ status, body }).toEqual({ status: 200, body: 'the page of the team' });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
});

test('a token becomes a cookie that links may bring, and scripts cannot read', async () => {
  const { status, headers } = await send(server.url, 'POST', '/sign-in', {
    headers: { origin },
    body: server.tokens.view,
  });
  expect(status).toBe(200);
  expect(headers['set-cookie']?.[0]).toMatch(
    /^outrank-team-\d+=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=2592000$/,
  );
  const cookie = await signIn(server.tokens.view);
  const { body } = await send(server.url, 'GET', '/api/traces', { headers: { cookie } });
  expect(JSON.parse(body)).toEqual({
    traces: [],
    count: 0,
    you: { name: 'view', role: 'view' },
    lake: false,
  });
});

test('a page of another site changes nothing, though the browser brings the cookie', async () => {
  const cookie = await signIn(server.tokens.admin);
  const remove = (headers: object) =>
    send(server.url, 'DELETE', `/api/traces/${ID}`, { headers: { cookie, ...headers } });
  expect((await remove({ origin: 'http://evil.example' })).body).toBe(
    'pages of other sites may ask nothing of this server\n',
  );
  expect((await remove({})).body).toBe('a browser must say which page sends this\n');
  expect((await remove({ origin })).status).toBe(404);
});

test.each([
  ['GET', '/api/traces'],
  ['POST', '/sign-in'],
  ['GET', '/'],
])('%s %s is not answered under a foreign name', async (method, path) => {
  const { status, body } = await send(server.url, method, path, {
    headers: { host: 'evil.example', ...server.as.admin },
  });
  expect({ status, body }).toEqual({
    status: 403,
    body: 'this server is known by another name; its operator sets it by --public-url\n',
  });
});

test.each([
  ['no cookie', 401, {}],
  ['no origin', 403, { cookie: 'COOKIE' }],
  ['a foreign origin', 403, { cookie: 'COOKIE', origin: 'http://evil.example' }],
  ['a foreign host', 403, { cookie: 'COOKIE', origin: 'http://evil.example', host: 'evil.example' }],
])('a WebSocket with %s is refused', async (_, status, given: { cookie?: string; origin?: string }) => {
  const cookie = await signIn(server.tokens.view);
  const headers = {
    ...(given.cookie === undefined && { origin }),
    ...given,
    ...(given.cookie && { cookie }),
  };
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/t/${ID}/socket`, { headers });
  const [error] = (await once(socket, 'error')) as [Error];
  expect(error.message).toBe(`Unexpected server response: ${status}`);
});

test.each([
  '/../secret',
  '/%2e%2e/tokens.json',
  '/..%2ftokens.json',
  '/%00',
  '/index.html',
  '/t/..%2f/x',
  '//x',
])('nothing is served for %s', async (path) => {
  expect((await send(server.url, 'GET', path, { headers: server.as.admin })).status).toBe(404);
});

test('a token that is taken back opens nothing any more', async () => {
  const path = join(folder, 'tokens.json');
  const authorization = `Bearer ${await addToken(path, 'guest', 'view')}`;
  const ask = async () =>
    (await send(server.url, 'GET', '/api/traces', { headers: { authorization } })).status;
  await expect.poll(ask, { timeout: 5000 }).toBe(200);
  expect(await revokeTokens(path, 'guest')).toBe(1);
  await expect.poll(ask, { timeout: 5000 }).toBe(401);
});

test('a name from a trusted proxy counts, and from elsewhere does not', async () => {
  const identity = { header: 'x-user', role: 'view' } as const;
  const named = { headers: { 'x-user': 'ann', 'x-forwarded-for': '1.2.3.4, 203.0.113.9' } };
  const trusting = await startTestServer(temporaryFolder(), {
    proxy: { identity, addresses: readAddresses(['127.0.0.0/8']) },
  });
  const { body } = await send(trusting.url, 'GET', '/api/traces', named);
  expect(JSON.parse(body)).toMatchObject({ you: { name: 'ann', role: 'view' } });
  expect((await send(trusting.url, 'POST', '/api/uploads', { ...named, body: '{}' })).status).toBe(403);
  const strict = await startTestServer(temporaryFolder(), {
    proxy: { identity, addresses: readAddresses(['10.0.0.0/8', '::1']) },
  });
  expect((await send(strict.url, 'GET', '/api/traces', named)).status).toBe(401);
});

test('behind HTTPS the cookie is bound to the host, and pages of plain HTTP are foreign', async () => {
  const publicUrl = new URL('https://traces.example');
  const port = await freePort();
  const behind = await startTestServer(temporaryFolder(), { publicUrl, port });
  expect(behind.url).toBe('https://traces.example');
  const enter = (from: string) =>
    send(`http://127.0.0.1:${port}`, 'POST', '/sign-in', {
      headers: { host: 'traces.example', origin: from },
      body: behind.tokens.view,
    });
  expect((await enter('https://traces.example')).headers['set-cookie']?.[0]).toMatch(
    /^__Host-outrank=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=2592000; Secure$/,
  );
  expect((await enter('http://traces.example')).status).toBe(403);
});

test('who guesses tokens is refused for a while, right or wrong', async () => {
  const guessed = await startTestServer(temporaryFolder());
  const guess = (authorization: string) =>
    send(guessed.url, 'GET', '/api/traces', { headers: { authorization } });
  for (let n = 0; n < 30; n++) expect((await guess(`Bearer ${n}`)).status).toBe(401);
  const { status, headers } = await guess(guessed.as.admin.authorization);
  expect({ status, after: headers['retry-after'] }).toEqual({ status: 429, after: '60' });
});

test('a limit of a rate lets through what it says, and more as time passes', () => {
  const limit = new RateLimit(60);
  const taken = (nowMs: number) =>
    Array.from({ length: 100 }, () => limit.take('a', nowMs)).filter(Boolean).length;
  expect([taken(0), taken(0), taken(500), taken(5500), taken(1e9)]).toEqual([60, 0, 0, 5, 60]);
  expect(limit.take('b', 0)).toBe(true);
});

test('the audit log says who did what, and what was refused', () => {
  const entries = readFileSync(join(folder, 'audit.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toContainEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    action: 'signed_in',
    by: 'view',
    from: '127.0.0.1',
  });
  expect(entries).toContainEqual(
    expect.objectContaining({
      action: 'refused',
      why: 'pages of other sites may ask nothing of this server',
    }),
  );
});
