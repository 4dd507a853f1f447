import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import type { TraceRecord } from '../store/trace-store.ts';
import { Library } from './library.ts';
import { send, startTestServer } from './testing.ts';
import type { TestServer } from './testing.ts';

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

// Timers run on: the server keeps its promises to its sockets by them.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A trace that was uploaded at a minute, of one byte unless another size is said. */
function newRecord(minute: number, fields: Partial<TraceRecord>): TraceRecord {
  return {
    id: minute.toString(16).padStart(2, '0').repeat(32),
    name: 'a.etl',
    sizeBytes: 1,
    by: 'ann',
    uploadedAtMs: START_MS + minute * 60_000,
    expiresAtMs: null,
    deleteTokenHash: 'f'.repeat(64),
    ...fields,
  };
}

async function serve(records: readonly TraceRecord[], options = {}) {
  const folder = temporaryFolder();
  const server = await startTestServer(folder, options);
  const path = join(folder, 'tokens.json');
  for (const record of records) await server.store.add(record, path);
  return { folder, server };
}

const get = (server: TestServer, path: string) => send(server.url, 'GET', path, { headers: server.as.view });

/** The names of the traces that are listed, and how many match. */
async function list(server: TestServer, query: string): Promise<readonly [string, number]> {
  const { body } = await get(server, `/api/traces?${query}`);
  const { traces, count } = JSON.parse(body) as { traces: { name: string }[]; count: number };
  return [traces.map(({ name }) => name).join(' '), count];
}

test('traces are listed newest first, searched by all words, and given page by page', async () => {
  const { server } = await serve([
    newRecord(1, { name: 'lock screen.etl' }),
    newRecord(2, { name: 'Lock.etl', by: 'ben' }),
    newRecord(3, { name: 'boot.etl', by: 'ben' }),
    newRecord(4, { name: 'hang (100).etl' }),
  ]);
  const all = 'hang (100).etl boot.etl Lock.etl lock screen.etl';
  for (const [query, names, count] of [
    ['', all, 4],
    ['search=lock', 'Lock.etl lock screen.etl', 2],
    ['search=BEN+lock', 'Lock.etl', 1],
    ['search=++', all, 4],
    [`search=${'03'.repeat(8)}`, 'boot.etl', 1],
    ['search=(100)', 'hang (100).etl', 1],
    ['search=.*', '', 0],
    ['most=2', 'hang (100).etl boot.etl', 4],
    ['skip=2&most=1', 'Lock.etl', 4],
    ['skip=1&most=5&search=lock', 'lock screen.etl', 2],
    ['skip=4', '', 4],
    ['most=0', '', 4],
    ['skip=-1&most=x', all, 4],
    ['skip=999999999999', all, 4],
  ] as const)
    expect([query, ...(await list(server, query))]).toEqual([query, names, count]);
});

test('no page holds more than 200 traces', async () => {
  const { server } = await serve(Array.from({ length: 201 }, (_, at) => newRecord(at, {})));
  const [names, count] = await list(server, 'most=1000');
  expect([names.split(' ').length, count]).toEqual([200, 201]);
  expect(await list(server, 'most=1000&skip=200')).toEqual(['a.etl', 201]);
});

test('a trace is gone at the instant when it expires, and its bytes with the next clearing up', async () => {
  const [brief, kept] = [
    newRecord(1, { name: 'brief.etl', expiresAtMs: START_MS + HOUR_MS }),
    newRecord(2, { name: 'kept.etl' }),
  ];
  const { folder, server } = await serve([brief, kept]);
  const statuses = async () => {
    const paths = [`/api/traces/${brief.id}`, `/api/traces/${brief.id}/file`, `/t/${brief.id}/start.json`];
    const answers = await Promise.all(paths.map((path) => get(server, path)));
    return answers.map(({ status }) => status);
  };
  const stored = () => readdirSync(join(folder, 'traces')).sort();

  vi.setSystemTime(START_MS + HOUR_MS - 1);
  await server.sweep();
  expect(await list(server, '')).toEqual(['kept.etl brief.etl', 2]);
  expect((await statuses()).filter((status) => status === 404)).toEqual([]);

  vi.setSystemTime(START_MS + HOUR_MS);
  expect(await list(server, '')).toEqual(['kept.etl', 1]);
  expect(await statuses()).toEqual([404, 404, 404]);
  expect(stored()).toEqual([brief.id, kept.id]);
  await server.sweep();
  expect(stored()).toEqual([kept.id]);
  expect((await get(server, '/metrics')).body).toContain('outrank_traces_expired_total 1\n');
  await server.close();
  const audit = readFileSync(join(folder, 'audit.jsonl'), 'utf8').trim().split('\n');
  expect(JSON.parse(audit.at(-1) ?? '')).toMatchObject({ action: 'expired', by: null, trace: brief.id });
});

test('an upload is kept as long as its sender says, and no longer than the server keeps any', async () => {
  const { server } = await serve([], { keptMs: 10 * HOUR_MS });
  const upload = async (body: string, fields: object): Promise<unknown> => {
    const headers = server.as.upload;
    const announced = JSON.stringify({ name: 'a.etl', sizeBytes: body.length, ...fields });
    const started = await send(server.url, 'POST', '/api/uploads', { headers, body: announced });
    const { url } = JSON.parse(started.body) as { url: string };
    const sent = await send(server.url, 'PATCH', url, { headers: { ...headers, 'upload-offset': 0 }, body });
    const { trace } = JSON.parse(sent.body) as { trace: string };
    return (JSON.parse((await get(server, `/api/traces/${trace}`)).body) as { expiresAtMs: unknown })
      .expiresAtMs;
  };
  expect(await upload('a', {})).toBe(START_MS + 10 * HOUR_MS);
  expect(await upload('b', { keptMs: HOUR_MS })).toBe(START_MS + HOUR_MS);
  expect(await upload('c', { keptMs: 99 * HOUR_MS })).toBe(START_MS + 10 * HOUR_MS);
});

test('a quota is filled to its last byte and no further, and what is removed makes room', async () => {
  const [large, small] = [newRecord(1, { sizeBytes: 60 }), newRecord(2, { sizeBytes: 20, by: 'ben' })];
  const { server } = await serve([large, small]);
  const library = new Library(server.store, { totalBytes: 100, eachBytes: 70 });
  const room = (by: string, sizeBytes: number, underWay: number[] = []) =>
    library
      .assertRoom(
        by,
        sizeBytes,
        underWay.map((each) => ({ by, sizeBytes: each })),
      )
      .then(
        () => 'room',
        (error: unknown) => String(error),
      );
  expect(await room('ann', 10)).toBe('room');
  expect(await room('ann', 11)).toBe('TeamError: ann has 10 B left on this server');
  expect(await room('ann', 5, [6])).toBe('TeamError: ann has 4 B left on this server');
  expect(await room('ben', 20)).toBe('room');
  expect(await room('ben', 21)).toBe('TeamError: this server has 20 B left for traces');
  expect(await room('ben', 1, [20])).toBe('TeamError: this server has 0 B left for traces');
  await library.remove(large.id);
  expect(await room('ann', 70)).toBe('room');
  expect(await room('ben', 50)).toBe('room');
});
