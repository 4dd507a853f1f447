import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import { send, startTestServer } from './testing.ts';
import type { TestServer } from './testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(temporaryFolder(), {
    uploadLimits: { eachBytes: 1000, underWay: 1000, abandonedMs: 60_000, slowMs: 60_000 },
  });
});

/** Sends bytes as they are; the status of the first answer, or null if the connection was closed without one. */
function sendRaw(bytes: string): Promise<number | null> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    const end = (): void => {
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      resolve(status === undefined ? null : Number(status));
    };
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', end);
    socket.on('close', end);
    // What is cut short is waited for by the server: the sender goes away.
    socket.setTimeout(1000, end);
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}

/** Numbers from 0 on and below `below`, the same in every run. */
function makeDice(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ODD = [
  '\0',
  '%',
  '%2e%2e/',
  '../',
  '\r\n',
  ' ',
  '"',
  '{',
  '-1',
  '9'.repeat(30),
  'ÿ',
  '💥',
  '/',
  ':',
  'e308',
];

/** A text with a few places changed: bytes flipped, odd ones put in, pieces taken out or said twice. */
function mutate(text: string, dice: (below: number) => number): string {
  let changed = text;
  for (let times = 1 + dice(3); times > 0; times--) {
    const at = dice(changed.length + 1);
    const until = at + dice(8);
    const piece = changed.slice(at, until);
    const put = [
      () => String.fromCharCode(dice(256)),
      () => ODD[dice(ODD.length)] ?? '',
      () => '',
      () => piece + piece,
    ][dice(4)];
    changed = changed.slice(0, at) + (put?.() ?? '') + changed.slice(until);
  }
  return changed;
}

async function begin(): Promise<string> {
  const body = JSON.stringify({ name: 'a.etl', sizeBytes: 10 });
  const answer = await send(server.url, 'POST', '/api/uploads', { headers: server.as.upload, body });
  return (JSON.parse(answer.body) as { url: string }).url;
}

test('2,000 mutated requests of the upload protocol are answered, none by a failure of the server', async () => {
  const dice = makeDice();
  const start = JSON.stringify({ name: 'a.etl', sizeBytes: 10, sha256: '0'.repeat(64), keptMs: 60_000 });
  const { host } = new URL(server.url);
  const statuses = new Map<number | null, number>();
  for (let round = 0; round < 50; round++) {
    const path = await begin();
    const seeds = [
      ['POST /api/uploads HTTP/1.1', `content-length: ${start.length}`, start],
      [`PATCH ${path} HTTP/1.1`, 'upload-offset: 0\r\ncontent-length: 5', 'bytes'],
      [`PATCH ${path} HTTP/1.1`, 'upload-offset: 0\r\ntransfer-encoding: chunked', '5\r\nbytes\r\n0\r\n\r\n'],
      [`HEAD ${path} HTTP/1.1`, 'accept: */*', ''],
    ] as const;
    const sent = Array.from({ length: 40 }, (_, n) => {
      const [line = '', headers = '', body = ''] = seeds[n % seeds.length] ?? [];
      const parts = [line, headers, body].map((part, at) => (at === dice(3) ? mutate(part, dice) : part));
      // A token that is guessed wrong thirty times would close the door to the rest.
      const token = `host: ${host}\r\nauthorization: ${server.as.upload.authorization}\r\nconnection: close`;
      return sendRaw(`${parts[0] ?? ''}\r\n${token}\r\n${parts[1] ?? ''}\r\n\r\n${parts[2] ?? ''}`);
    });
    for (const status of await Promise.all(sent)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await send(server.url, 'DELETE', path, { headers: server.as.upload });
  }
  expect([...statuses.keys()].filter((status) => (status ?? 0) >= 500)).toEqual([]);
  expect(statuses.get(400)).toBeGreaterThan(50);

  const path = await begin();
  const headers = { ...server.as.upload, 'upload-offset': '0' };
  expect(await send(server.url, 'PATCH', path, { headers, body: 'ten bytes!' })).toMatchObject({
    status: 200,
  });
  for (const { sizeBytes } of await server.store.list()) expect(sizeBytes).toBeLessThanOrEqual(1000);
});

test('headers and announcements that are too long are refused', async () => {
  const { host } = new URL(server.url);
  expect(await sendRaw(`GET / HTTP/1.1\r\nhost: ${host}\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)).toBe(431);
  const { authorization } = server.as.upload;
  const long = await send(server.url, 'POST', '/api/uploads', {
    headers: { authorization },
    body: 'x'.repeat(20_000),
  });
  expect({ status: long.status, body: long.body }).toEqual({
    status: 413,
    body: 'at most 16384 bytes are taken here\n',
  });
});
