import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, test } from 'vitest';
import { atEnd, root, temporaryFolder } from '../../host/testing/real.ts';
import { send } from './testing.ts';
import { addToken } from './tokens.ts';
import { uploadTrace } from './upload-client.ts';

const folder = temporaryFolder();
const tokensPath = join(folder, 'tokens.json');
const MIB = 1 << 20;
let token: string;
beforeAll(async () => {
  token = await addToken(tokensPath, 'ann', 'upload');
});

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Runs `outrank serve --store`; with a limit of the size of files, as a full disk would have it. */
async function serve(store: string, { port = 0, limitKib = 0 } = {}): Promise<Served> {
  const args = ['serve', '--store', store, '--tokens', tokensPath, '--port', String(port)];
  const command = [process.execPath, join(root, 'app', 'cli', 'outrank.mjs'), ...args];
  const child =
    limitKib === 0
      ? spawn(command[0] ?? '', command.slice(1))
      : spawn('bash', ['-c', `ulimit -f ${limitKib}; exec "$@"`, 'bash', ...command]);
  atEnd(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error('the server ended without printing an address');
}

async function kill({ child }: Served): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Writes a file that no compression makes smaller; its SHA-256. */
function writeRandom(path: string, sizeBytes: number): string {
  const bytes = randomBytes(sizeBytes);
  writeFileSync(path, bytes);
  return createHash('sha256').update(bytes).digest('hex');
}

const asAnn = () => ({ authorization: `Bearer ${token}` });

async function begin(url: string, sizeBytes: number): Promise<string> {
  const body = JSON.stringify({ name: 'a.etl', sizeBytes });
  const answer = await send(url, 'POST', '/api/uploads', { headers: asAnn(), body });
  return (JSON.parse(answer.body) as { url: string }).url;
}

const patch = (url: string, path: string, offset: number, body: Buffer) =>
  send(url, 'PATCH', path, { headers: { ...asAnn(), 'upload-offset': offset }, body });

test('the client goes on with an upload during which the server is killed', async () => {
  const store = join(folder, 'killed');
  const path = join(folder, 'large.etl');
  const id = writeRandom(path, 160 * MIB);
  const first = await serve(store);
  const port = Number(new URL(first.url).port);
  let again: Promise<Served> | undefined;
  const uploaded = await uploadTrace({
    path,
    to: new URL(first.url),
    token,
    waitMs: 200,
    onProgress: (stage, fraction) => {
      if (stage === 'upload' && fraction >= 0.4) again ??= kill(first).then(() => serve(store, { port }));
    },
  });
  await again;
  expect(uploaded.url).toBe(`${first.url}/t/${id}`);
  const kept = readFileSync(join(store, 'traces', id, 'file', 'large.etl'));
  expect(createHash('sha256').update(kept).digest('hex')).toBe(id);
});

test('what was confirmed before the server was killed, and traces that it kept, are there afterwards', async () => {
  const store = join(folder, 'confirmed');
  const bytes = randomBytes(3 * MIB);
  const first = await serve(store);
  const done = await begin(first.url, 5);
  expect((await patch(first.url, done, 0, Buffer.from('whole'))).status).toBe(200);
  const path = await begin(first.url, bytes.length);
  expect((await patch(first.url, path, 0, bytes.subarray(0, MIB))).headers['upload-offset']).toBe(
    String(MIB),
  );
  await kill(first);

  const { url } = await serve(store);
  const asked = await send(url, 'HEAD', path, { headers: asAnn() });
  expect(asked.headers['upload-offset']).toBe(String(MIB));
  expect((await patch(url, path, MIB, bytes.subarray(MIB))).status).toBe(200);
  const listed = await send(url, 'GET', '/api/traces', { headers: asAnn() });
  expect(JSON.parse(listed.body)).toMatchObject({
    count: 2,
    traces: [{ sizeBytes: 3 * MIB }, { sizeBytes: 5 }],
  });
});

// Where files cannot be limited in size, no disk can be made full without an administrator.
test.skipIf(process.platform === 'win32')('a full disk is told of, and what arrived is kept', async () => {
  const store = join(folder, 'full');
  const bytes = randomBytes(3 * MIB);
  const full = await serve(store, { limitKib: 2048 });
  const path = await begin(full.url, bytes.length);
  expect((await patch(full.url, path, 0, bytes.subarray(0, MIB))).status).toBe(204);
  const { status, body, headers } = await patch(full.url, path, MIB, bytes.subarray(MIB));
  expect({ status, body }).toEqual({
    status: 507,
    body: 'the disk of this server is full; what arrived is kept\n',
  });
  const at = Number(headers['upload-offset']);
  expect(at).toBeGreaterThanOrEqual(MIB);
  expect(at).toBeLessThanOrEqual(2 * MIB);
  expect((await send(full.url, 'GET', '/health')).status).toBe(200);
  await kill(full);

  const { url } = await serve(store);
  const last = await patch(url, path, at, bytes.subarray(at));
  const id = createHash('sha256').update(bytes).digest('hex');
  expect(JSON.parse(last.body)).toEqual({ trace: id, url: `/t/${id}` });
  expect(existsSync(join(store, 'traces', id, 'file', 'a.etl'))).toBe(true);
});
