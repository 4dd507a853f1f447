import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LakeAbout, LakeAnswer } from '../../shared/lake/index.ts';
import { Lake } from '../fleet/index.ts';
import { contentHash } from '../host/content-hash.ts';
import { temporaryFolder, writeTrace } from '../host/testing/real.ts';
import type { TraceRecord } from '../server/store/trace-store.ts';
import { send, startTestServer, type TestServer } from '../server/team/testing.ts';
import { teamLake } from './team-lake.ts';

const LIMITS = { memoryBytes: 1e9, fileBytes: 1e9 };

/** A server that keeps a lake in `folder`; what it says of it. */
async function serve(folder: string, store?: TestServer['store']) {
  const address = join(folder, 'lake');
  const said: string[] = [];
  const server = await startTestServer(temporaryFolder(), {
    ...(store && { store }),
    say: (message) => said.push(message),
    makeLake: (visible) =>
      teamLake(
        { address, workDir: folder, limits: LIMITS, engineMemoryBytes: 1 << 30, limitMs: 60_000 },
        visible,
      ),
  });
  return { server, said, address };
}

const record = (id: string, name: string, tags: Readonly<Record<string, string>> = {}): TraceRecord => ({
  ...{ id, name, sizeBytes: 1, by: 'ann', uploadedAtMs: 1, expiresAtMs: null },
  deleteTokenHash: 'f'.repeat(64),
  tags,
});

const about = async ({ url, as }: TestServer): Promise<LakeAbout> =>
  JSON.parse((await send(url, 'GET', '/api/lake', { headers: as.view })).body) as LakeAbout;

const post = ({ url, as }: TestServer, body: string) =>
  send(url, 'POST', '/api/lake/ask', { headers: { ...as.view, origin: url }, body });

test('a lake follows its store: what was missed is caught up, what is no trace is said, what is gone is forgotten', async () => {
  const folder = temporaryFolder();
  const trace = writeTrace(join(folder, 'minimal.etl'), 'minimal');
  const id = await contentHash(trace);
  const other = join(folder, 'notes.etl');
  writeFileSync(other, 'no trace');
  const otherId = await contentHash(other);

  const first = await serve(folder);
  const { store, lake } = first.server;
  await store.add(record(id, 'minimal.etl', { build: '7' }), trace);
  await store.add(record(otherId, 'notes.etl'), other);
  await lake?.catchUp();
  await lake?.settled();
  expect([lake?.waiting, lake?.failed]).toEqual([0, 1]);
  expect(first.said.join('\n')).toMatch(/the lake lacks [0-9a-f]{16}: .*notes\.etl/);
  expect(await about(first.server)).toMatchObject({
    traces: 1,
    tags: { build: [{ value: '7', traces: 1 }] },
  });

  const asked = { question: 'left-out', params: {}, filter: { tags: { build: '7' } } };
  const answer = JSON.parse((await post(first.server, JSON.stringify(asked))).body) as LakeAnswer;
  expect(answer).toMatchObject({ traces: 1, lossy: 0, model: { id: 'left-out' } });
  await first.server.close();

  // While no server runs, the trace goes.
  await store.remove(id);
  const second = await serve(folder, store);
  await second.server.lake?.catchUp();
  await second.server.lake?.settled();
  expect((await about(second.server)).traces).toBe(0);
  expect([...(await (await Lake.open(second.address)).list()).traces.keys()]).toEqual([]);
});

test('who may not see traces may not ask them, and a question that is none is refused in words', async () => {
  const { server } = await serve(temporaryFolder());
  expect((await send(server.url, 'GET', '/api/lake')).status).toBe(401);
  expect((await send(server.url, 'POST', '/api/lake/ask', { body: '{}' })).status).toBe(401);
  for (const [body, words] of [
    ['{', 'expected { "question"'],
    [JSON.stringify({ question: 'x', params: {}, filter: { sql: '1' } }), 'expected { "question"'],
    [JSON.stringify({ question: 'x', params: {}, filter: {} }), 'no question is called "x"'],
    ['x'.repeat(20_000), 'at most 16384 bytes'],
  ] as const) {
    const answer = await post(server, body);
    expect([400, 413]).toContain(answer.status);
    expect(answer.body).toContain(words);
  }
});

test('a server without a lake says so', async () => {
  const { url, as } = await startTestServer(temporaryFolder());
  const answer = await send(url, 'GET', '/api/lake', { headers: as.view });
  expect([answer.status, answer.body]).toEqual([404, 'this server keeps no lake of its traces\n']);
});
