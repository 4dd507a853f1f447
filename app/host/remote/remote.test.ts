import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { OpenProgress } from '../api.ts';
import { atEnd, temporaryFolder } from '../testing/real.ts';
import { FetchedTraces } from './fetched-traces.ts';

const folder = temporaryFolder();
const bytes = Buffer.from('a trace '.repeat(40_000));
const id = createHash('sha256').update(bytes).digest('hex');
const wanted = { id, sizeBytes: bytes.length };

/** A server that answers as it is told; its origin. */
async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A team server that holds this one file, and sends it as `send` says. */
function startTeamServer(send: RequestListener, name = 'lock.etl'): Promise<string> {
  return startServer((request, response) => {
    if (request.url === `/api/traces/${id}`) response.end(JSON.stringify({ name, sizeBytes: bytes.length }));
    else if (request.url === `/api/traces/${id}/file`) send(request, response);
    else response.writeHead(404).end();
  });
}

const me = (origin: string, token: string | null = null) => ({ origin, token });
let count = 0;
const newFolder = (): string => join(folder, `fetched-${count++}`);

test('a trace is fetched with its token, checked, kept, and not fetched again', async () => {
  let asked = 0;
  const origin = await startTeamServer((request, response) => {
    asked += 1;
    response.writeHead(request.headers.authorization === 'Bearer t0ken' ? 200 : 401).end(bytes);
  });
  const dir = newFolder();
  const traces = new FetchedTraces(dir, 1 << 30);
  const stages = new Set<OpenProgress['stage']>();
  const path = await traces.fetch(me(origin, 't0ken'), wanted, {
    onProgress: ({ stage }) => stages.add(stage),
  });
  expect(path).toBe(join(dir, id, 'lock.etl'));
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect([...stages]).toEqual(['download', 'hash']);
  expect(await traces.fetch(me(origin), wanted, {})).toBe(path);
  expect(asked).toBe(1);
  expect(await traces.usage()).toEqual({ dir, count: 1, sizeBytes: bytes.length });
  await traces.clear();
  expect(existsSync(dir)).toBe(false);
});

test('a download that broke down goes on where it was', async () => {
  const ranges: (string | undefined)[] = [];
  const origin = await startTeamServer((request, response) => {
    const { range } = request.headers;
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const last = bytes.length - 1;
    if (from > 0) response.writeHead(206, { 'content-range': `bytes ${from}-${last}/${bytes.length}` });
    if (from > 0) response.end(bytes.subarray(from));
    else response.write(bytes.subarray(0, 100_000), () => void someCame().then(() => response.destroy()));
  });
  const kept = newFolder();
  // What a broken connection had not given to the other side is lost.
  const someCame = () =>
    vi.waitFor(() => {
      const sizes = readdirSync(kept).map((name) => statSync(join(kept, name)).size);
      expect(Math.max(...sizes)).toBeGreaterThan(0);
    });
  const traces = new FetchedTraces(kept, 1 << 30);
  const message = await traces.fetch(me(origin), wanted, {}).catch(String);
  const [, came = ''] =
    /broke down at (\d+) of 320000 bytes: try again to go on from there$/.exec(message) ?? [];
  expect(Number(came)).toBeGreaterThan(0);
  expect(readFileSync(await traces.fetch(me(origin), wanted, {})).equals(bytes)).toBe(true);
  expect(ranges).toEqual([undefined, `bytes=${came}-`]);
});

test('an abort ends it', async () => {
  const abort = new AbortController();
  const origin = await startTeamServer((_request, response) => {
    response.write(bytes.subarray(0, 10), () => abort.abort());
  });
  const traces = new FetchedTraces(newFolder(), 1 << 30);
  await expect(traces.fetch(me(origin), wanted, { signal: abort.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
});

test.each([
  ['another trace', Buffer.from('b trace '.repeat(40_000)), /^http.*: sent another trace: the SHA-256/],
  ['more bytes', Buffer.concat([bytes, bytes]), /^http.*: sends more than the 320000 bytes it said$/],
])('a server that sends %s is reported, and nothing of it is opened', async (_what, sent, message) => {
  const origin = await startTeamServer((_request, response) => response.end(sent));
  const dir = newFolder();
  await expect(new FetchedTraces(dir, 1 << 30).fetch(me(origin), wanted, {})).rejects.toThrow(message);
  expect(readdirSync(dir).filter((name) => !name.endsWith('.part'))).toEqual([]);
});

test('what a server answers instead of a trace is one line that names it', async () => {
  const answers: Readonly<Record<string, RequestListener>> = {
    'wants a token': (_, response) => response.writeHead(401).end(),
    'no trace of this id': (_, response) =>
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no trace of this id\n'),
    'refuses with status 500': (_, response) => response.writeHead(500).end('<html>'),
    'sends elsewhere, which is not followed': (_, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'what answers there is no team server': (_, response) => response.end('<html>'),
    'does not answer: socket hang up': (_, response) => response.destroy(),
    'its trace has 5 bytes, and the link says 320000': (_, response) =>
      response.end('{"name":"a.etl","sizeBytes":5}'),
  };
  for (const [message, answer] of Object.entries(answers)) {
    const origin = await startServer(answer);
    const fetched = new FetchedTraces(newFolder(), 1 << 30).fetch(me(origin), wanted, {});
    await expect(fetched).rejects.toThrow(message);
  }
  await expect(
    new FetchedTraces(newFolder(), 1).fetch(me('http://traces.example.com'), wanted, {}),
  ).rejects.toThrow('is not encrypted: everybody on the way could read the trace and the token');
});

test('a name that leads elsewhere is none', async () => {
  const origin = await startTeamServer((_request, response) => response.end(bytes), '../../evil.etl');
  const dir = newFolder();
  expect(await new FetchedTraces(dir, 1 << 30).fetch(me(origin), wanted, {})).toBe(
    join(dir, id, 'trace.etl'),
  );
});

test('beyond the limit the traces that were unused for longest go, but none that may be open', async () => {
  const dir = newFolder();
  const [old, recent] = ['ab'.repeat(32), 'cd'.repeat(32)];
  for (const each of [old, recent]) {
    mkdirSync(join(dir, each), { recursive: true });
    writeFileSync(join(dir, each, 'a.etl'), 'x');
  }
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  utimesSync(join(dir, old), yesterday, yesterday);
  const origin = await startTeamServer((_request, response) => response.end(bytes));
  await new FetchedTraces(dir, 1).fetch(me(origin), wanted, {});
  expect(readdirSync(dir).sort()).toEqual([recent, id].sort());
});
