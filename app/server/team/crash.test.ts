import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, writeTrace } from '../../host/testing/real.ts';
import { hasS3Server } from '../store/testing.ts';
import { folderPlace, Person, s3Place, serveProcess, writeRandom } from './testing-process.ts';
import type { S3Place, StorePlace } from './testing-process.ts';
import { uploadTrace } from '../../host/remote/upload.ts';

const folder = temporaryFolder();
const tokens = join(folder, 'tokens.json');
const MIB = 1 << 20;
let ann: Person;
beforeAll(async () => {
  ann = await Person.withToken(tokens);
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['a folder', true, (name: string) => Promise.resolve(folderPlace(join(folder, name)))],
  ['an object storage', hasS3Server, (name: string) => s3Place(join(folder, `s3-${name}`))],
] as const)('with %s as store', (_, there, makePlace: (name: string) => Promise<StorePlace>) => {
  const inStore = test.skipIf(!there);

  inStore('the client goes on with an upload during which the server is killed', async () => {
    const place = await makePlace('killed');
    const path = join(folder, 'large.etl');
    const id = writeRandom(path, 80 * MIB);
    const first = await serveProcess(place, tokens);
    let again: Promise<unknown> | undefined;
    const restart = () =>
      first.kill().then(() => serveProcess(place, tokens, { port: Number(new URL(first.url).port) }));
    const uploaded = await uploadTrace({
      path,
      to: new URL(first.url),
      token: ann.token,
      waitMs: 200,
      onProgress: (stage, fraction) => {
        if (stage === 'upload' && fraction >= 0.4) again ??= restart();
      },
    });
    await again;
    expect(uploaded.url).toBe(`${first.url}/t/${id}`);
    expect(sha256(readFileSync(place.fileOf(id, 'large.etl')))).toBe(id);
  });

  inStore(
    'what was confirmed before the server was killed, and traces that it kept, are there afterwards',
    async () => {
      const place = await makePlace('confirmed');
      const bytes = randomBytes(3 * MIB);
      const first = await serveProcess(place, tokens);
      const done = await ann.begin(first.url, 5);
      expect((await ann.patch(first.url, done, 0, Buffer.from('whole'))).status).toBe(200);
      const path = await ann.begin(first.url, bytes.length);
      const part = await ann.patch(first.url, path, 0, bytes.subarray(0, MIB));
      expect(part.headers['upload-offset']).toBe(String(MIB));
      await first.kill();

      const { url } = await serveProcess(place, tokens);
      const asked = await ann.ask(url, 'HEAD', path);
      expect(asked.headers['upload-offset']).toBe(String(MIB));
      expect((await ann.patch(url, path, MIB, bytes.subarray(MIB))).status).toBe(200);
      expect(await ann.listed(url)).toEqual([sha256(bytes), sha256(Buffer.from('whole'))]);
    },
  );

  inStore('bytes that changed are found at opening and at download, named, and not served', async () => {
    const place = await makePlace('changed');
    const trace = writeTrace(join(folder, 'minimal.etl'), 'minimal');
    const { url } = await serveProcess(place, tokens);
    const options = { path: trace, to: new URL(url), token: ann.token };
    const id = (await uploadTrace(options)).url.slice(-64);
    const good = readFileSync(place.fileOf(id, 'minimal.etl'));
    const changed = Buffer.from(good);
    changed[1000] = (changed[1000] ?? 0) ^ 1;
    writeFileSync(place.fileOf(id, 'minimal.etl'), changed);

    const message = `minimal.etl: damaged on the server: its SHA-256 is ${sha256(changed)}, not ${id}: upload it again`;
    const page = await ann.view(url, id);
    await expect(page.host.open(page.path, {})).rejects.toMatchObject({ kind: 'file', message });
    const download = await ann.ask(url, 'GET', `/api/traces/${id}/file`);
    expect({ status: download.status, body: download.body }).toEqual({ status: 410, body: `${message}\n` });
    expect((await ann.ask(url, 'GET', '/metrics')).body).toContain('\noutrank_traces_damaged 1\n');

    expect((await uploadTrace(options)).url).toBe(`${url}/t/${id}`);
    expect(await page.host.open(page.path, {})).toMatchObject({ id, name: 'minimal.etl' });
    expect((await ann.ask(url, 'GET', `/api/traces/${id}/file`)).status).toBe(200);
  });
});

// Where files cannot be limited in size, no disk can be made full without an administrator.
test.skipIf(process.platform === 'win32')('a full disk is reported, and what arrived is kept', async () => {
  const place = folderPlace(join(folder, 'full'));
  const bytes = randomBytes(3 * MIB);
  const full = await serveProcess(place, tokens, { limitKib: 2048 });
  const path = await ann.begin(full.url, bytes.length);
  expect((await ann.patch(full.url, path, 0, bytes.subarray(0, MIB))).status).toBe(204);
  const { status, body, headers } = await ann.patch(full.url, path, MIB, bytes.subarray(MIB));
  expect({ status, body }).toEqual({
    status: 507,
    body: 'the disk of this server is full; what arrived is kept\n',
  });
  const at = Number(headers['upload-offset']);
  expect(at).toBeGreaterThanOrEqual(MIB);
  expect(at).toBeLessThanOrEqual(2 * MIB);
  expect((await ann.ask(full.url, 'GET', '/health')).status).toBe(200);
  await full.kill();

  const { url } = await serveProcess(place, tokens);
  const last = await ann.patch(url, path, at, bytes.subarray(at));
  expect(JSON.parse(last.body)).toEqual({ trace: sha256(bytes), url: `/t/${sha256(bytes)}` });
  expect(existsSync(place.fileOf(sha256(bytes), 'a.etl'))).toBe(true);
});

describe.skipIf(!hasS3Server)('an object storage', () => {
  /** The files of parts that the S3 server was sent and that no object has. */
  const partsOf = ({ objects }: S3Place): string[] =>
    readdirSync(objects).filter((name) => name.startsWith('.upload'));

  test('holds no half trace nor parts of one, when the server was killed while it sent them', async () => {
    const place = await s3Place(join(folder, 's3-parts'));
    const path = join(folder, 'parts.etl');
    const id = writeRandom(path, 80 * MIB);
    const first = await serveProcess(place, tokens);
    const sending = uploadTrace({ path, to: new URL(first.url), token: ann.token, waitMs: 200 });
    await expect
      .poll(() => partsOf(place).filter((name) => name.includes('.part-')).length, {
        interval: 5,
        timeout: 30_000,
      })
      .toBeGreaterThan(2);
    await first.kill();
    expect(existsSync(place.fileOf(id, ''))).toBe(false);
    const left = new Set(partsOf(place));
    expect(left.size).toBeGreaterThan(2);

    const second = await serveProcess(place, tokens, { port: Number(new URL(first.url).port) });
    expect(partsOf(place).filter((name) => left.has(name))).toEqual([]);
    expect((await sending).url).toBe(`${second.url}/t/${id}`);
    expect(await ann.listed(second.url)).toEqual([id]);
    expect(sha256(readFileSync(place.fileOf(id, '')))).toBe(id);
    expect(partsOf(place)).toEqual([]);
  });

  // A small disk of one's own: Linux lets users mount one where the administrator has not forbidden it.
  const hasDisks = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;
  if (!hasDisks)
    console.warn('SKIPPED, the test of a full disk of copies: unshare --mount is not allowed here');
  test.skipIf(!hasDisks)('whose traces have no room on the disk of the server is reported', async () => {
    const place = await s3Place(join(folder, 's3-copies'));
    const large = writeTrace(join(folder, 'large.etl'), 'stacks', '--count', '40000');
    const small = writeTrace(join(folder, 'small.etl'), 'minimal');
    const roomy = await serveProcess(place, tokens);
    const [first, second] = [
      await uploadTrace({ path: large, to: new URL(roomy.url), token: ann.token }),
      await uploadTrace({ path: small, to: new URL(roomy.url), token: ann.token }),
    ];
    await roomy.kill();

    const { url } = await serveProcess(place, tokens, { diskMib: 4 });
    const full = 'the disk of this server is full';
    const page = await ann.view(url, first.url.slice(-64));
    const message = `large.etl: ${full}: try again later`;
    await expect(page.host.open(page.path, {})).rejects.toMatchObject({ kind: 'file', message });
    const download = await ann.ask(url, 'GET', `/api/traces/${first.url.slice(-64)}/file`);
    expect({ status: download.status, body: download.body }).toEqual({ status: 507, body: `${full}\n` });
    const other = await ann.view(url, second.url.slice(-64));
    expect(await other.host.open(other.path, {})).toMatchObject({ name: 'small.etl' });
  });

  test('that is stopped is reported; nothing that was confirmed is lost, and afterwards all works', async () => {
    const place = await s3Place(join(folder, 's3-stopped'));
    const trace = writeTrace(join(folder, 'stopped.etl'), 'minimal');
    const { url } = await serveProcess(place, tokens);
    const id = (await uploadTrace({ path: trace, to: new URL(url), token: ann.token })).url.slice(-64);
    const under = await ann.begin(url, 10);
    expect((await ann.patch(url, under, 0, Buffer.from('five '))).status).toBe(204);
    const page = await ann.view(url, id);

    await place.stop();
    const unusable = {
      status: 503,
      body: 'the storage of this server cannot be used now: try again later\n',
    };
    expect(await ann.ask(url, 'GET', '/api/traces')).toMatchObject(unusable);
    expect(await ann.patch(url, under, 5, Buffer.from('bytes'))).toMatchObject(unusable);
    await expect(page.host.open(page.path, {})).rejects.toMatchObject({
      kind: 'file',
      message: 'stopped.etl: the storage of this server cannot be used now: try again later',
    });
    expect(await ann.ask(url, 'GET', '/health')).toMatchObject({ status: 503 });
    expect((await ann.ask(url, 'GET', '/metrics')).body).toContain('\noutrank_store_usable 0\n');

    await place.start();
    expect(await ann.ask(url, 'HEAD', under)).toMatchObject({ headers: { 'upload-offset': '10' } });
    expect((await ann.patch(url, under, 10, Buffer.alloc(0))).status).toBe(200);
    expect(await page.host.open(page.path, {})).toMatchObject({ id });
    expect(new Set(await ann.listed(url))).toEqual(new Set([id, sha256(Buffer.from('five bytes'))]));
    expect((await ann.ask(url, 'GET', '/health')).status).toBe(200);
  });
});
