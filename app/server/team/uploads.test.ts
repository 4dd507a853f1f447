import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import { uploadTrace } from '../../host/remote/upload.ts';
import { send, startTestServer } from './testing.ts';
import type { TestServer } from './testing.ts';

const folder = temporaryFolder();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(folder, {
    uploadLimits: { eachBytes: 1000, underWay: 2, abandonedMs: 0, slowMs: 60_000 },
    quotas: { totalBytes: 60, eachBytes: 50 },
  });
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function start(text: string, fields: object = {}): Promise<{ url: string; deleteToken: string }> {
  const body = JSON.stringify({ name: 'a.etl', sizeBytes: text.length, sha256: sha256(text), ...fields });
  const answer = await send(server.url, 'POST', '/api/uploads', { headers: server.as.upload, body });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as { url: string; deleteToken: string };
}

const patch = (url: string, offset: number, body: string) =>
  send(server.url, 'PATCH', url, { headers: { ...server.as.upload, 'upload-offset': offset }, body });

test('a trace arrives in parts, is kept by its hash, and is gone with its delete token', async () => {
  const id = sha256('ten bytes!');
  const { url, deleteToken } = await start('ten bytes!');
  const first = await patch(url, 0, 'ten ');
  expect({ status: first.status, offset: first.headers['upload-offset'] }).toEqual({
    status: 204,
    offset: '4',
  });
  const asked = await send(server.url, 'HEAD', url, { headers: server.as.upload });
  expect(asked.headers).toMatchObject({ 'upload-offset': '4', 'upload-length': '10' });
  const last = await patch(url, 4, 'bytes!');
  expect(JSON.parse(last.body)).toEqual({ trace: id, url: `/t/${id}` });

  expect(readFileSync(join(folder, 'traces', id, 'file', 'a.etl'), 'utf8')).toBe('ten bytes!');
  expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
  const again = await send(server.url, 'POST', '/api/uploads', {
    headers: server.as.upload,
    body: JSON.stringify({ name: 'b.etl', sizeBytes: 10, sha256: id }),
  });
  expect({ status: again.status, body: JSON.parse(again.body) as unknown }).toEqual({
    status: 200,
    body: { trace: id, url: `/t/${id}` },
  });
  const file = await send(server.url, 'GET', `/api/traces/${id}/file`, { headers: server.as.view });
  expect(file.body).toBe('ten bytes!');
  expect(file.headers['content-disposition']).toBe("attachment; filename*=UTF-8''a.etl");

  const remove = (headers: object) =>
    send(server.url, 'DELETE', `/api/traces/${id}`, { headers: { ...headers } });
  expect((await remove(server.as.view)).status).toBe(403);
  expect((await remove({ ...server.as.view, 'delete-token': 'no' })).status).toBe(403);
  expect((await remove({ ...server.as.view, 'delete-token': deleteToken })).status).toBe(204);
  expect((await send(server.url, 'GET', `/api/traces/${id}`, { headers: server.as.view })).status).toBe(404);
  expect(readdirSync(join(folder, 'traces'))).toEqual([]);
});

test('bytes at another offset are refused, with the right one', async () => {
  const { url } = await start('ten bytes!');
  const { status, headers, body } = await patch(url, 3, 'bytes!');
  expect({ status, body, offset: headers['upload-offset'] }).toEqual({
    status: 409,
    body: 'the upload is at 0, not 3\n',
    offset: '0',
  });
  await send(server.url, 'DELETE', url, { headers: server.as.upload });
});

test('more bytes than were announced are refused, and what came before stays', async () => {
  const { url } = await start('abc');
  await patch(url, 0, 'ab');
  const { status, body } = await patch(url, 2, 'cd');
  expect({ status, body }).toEqual({ status: 413, body: 'more than the 3 bytes announced\n' });
  expect((await patch(url, 2, 'c')).status).toBe(200);
  await send(server.url, 'DELETE', `/api/traces/${sha256('abc')}`, { headers: server.as.upload });
});

test('a file that is not what was announced is not kept', async () => {
  const { url } = await start('right');
  const { status, body } = await patch(url, 0, 'wrong');
  expect({ status, body }).toEqual({
    status: 422,
    body: `what arrived is not what was announced: its SHA-256 is ${sha256('wrong')}, not ${sha256('right')}\n`,
  });
  expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
  expect(readdirSync(join(folder, 'traces'))).toEqual([]);
});

test('a user does not see the uploads of others', async () => {
  const { url } = await start('mine');
  expect((await send(server.url, 'HEAD', url, { headers: server.as.admin })).status).toBe(404);
  await send(server.url, 'DELETE', url, { headers: server.as.upload });
});

test.each([
  ['larger than one trace may be', { sizeBytes: 2000 }, '413 a trace may have 1.0 kB on this server\n'],
  ['more than one uploader may keep', { sizeBytes: 51 }, '507 upload has 50 B left on this server\n'],
  ['of no size', { sizeBytes: 0 }, '400 expected { "name", "sizeBytes", "sha256"?, "keptMs"?, "tags"? }\n'],
  [
    'of a hash that is none',
    { sha256: '../../etc' },
    '400 expected { "name", "sizeBytes", "sha256"?, "keptMs"?, "tags"? }\n',
  ],
])('an upload %s is refused', async (_, fields, refusal) => {
  await expect(start('text', fields)).rejects.toThrow(refusal);
});

test('uploads under way count for quotas, and there are only so many', async () => {
  const first = await start('a', { sizeBytes: 40 });
  await expect(start('b', { sizeBytes: 11 })).rejects.toThrow('507 upload has 10 B left on this server');
  const second = await start('c');
  await expect(start('d')).rejects.toThrow('429 upload has 2 uploads under way already');
  for (const { url } of [first, second]) await send(server.url, 'DELETE', url, { headers: server.as.upload });
});

test('an upload to which nothing is added is given up', async () => {
  const { url } = await start('abc');
  await server.sweep();
  expect((await patch(url, 0, 'abc')).body).toBe('no such upload: it was finished, cancelled, or given up\n');
});

test.each(['../../etc/passwd', 'C:\\x\\a<b>.etl', '..', 'record.json', '𝒳'.repeat(200)])(
  'a trace of the name %j is kept inside the store, and listed',
  async (name) => {
    const { url } = await start('named', { name });
    expect((await patch(url, 0, 'named')).status).toBe(200);
    expect(await server.store.list()).toMatchObject([{ id: sha256('named') }]);
    await send(server.url, 'DELETE', `/api/traces/${sha256('named')}`, { headers: server.as.upload });
    expect(readdirSync(join(folder, 'traces'))).toEqual([]);
  },
);

test('the client uploads a file, and knows one that is there', async () => {
  const path = join(folder, 'client.etl');
  writeFileSync(path, 'from a file');
  const options = { path, to: new URL(server.url), token: server.tokens.upload };
  const url = `${server.url}/t/${sha256('from a file')}`;
  expect(await uploadTrace(options)).toEqual({
    url,
    deleteToken: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
  expect(await uploadTrace(options)).toEqual({ url, deleteToken: null });
  await expect(uploadTrace({ ...options, token: server.tokens.view })).rejects.toThrow(
    /^127.0.0.1:\d+: view has the role "view" here, and this needs "upload"$/,
  );
});

test('what a killed server left half done is gone when it starts again', async () => {
  const left = join(folder, 'again');
  mkdirSync(join(left, 'traces', 'partial-0123'), { recursive: true });
  mkdirSync(join(left, 'uploads', '0'.repeat(32)), { recursive: true });
  await startTestServer(left);
  expect(readdirSync(join(left, 'traces'))).toEqual([]);
  expect(readdirSync(join(left, 'uploads'))).toEqual([]);
});
