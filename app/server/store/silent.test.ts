import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd, temporaryFolder } from '../../host/testing/real.ts';
import { S3Store } from './s3-store.ts';
import { stubAccess } from './stub-access.ts';
import type { TraceRecord } from './trace-store.ts';

stubAccess();
const folder = temporaryFolder();
/** Long enough for the answers that do come. */
const SILENT_MS = 4000;
const SILENT = 's3://traces: cannot be reached: it says nothing for 4 s';

async function openAt(server: Server): Promise<S3Store> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  return S3Store.open({
    bucket: 'traces',
    prefix: 'team',
    copiesDir: join(folder, 'copies'),
    begunDir: join(folder, 'begun'),
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silentMs: SILENT_MS,
  });
}

function newRecord(id: string): TraceRecord {
  const rest = { by: 'ann', uploadedAtMs: 1, expiresAtMs: null, deleteTokenHash: 'f'.repeat(64) };
  return { id: id.repeat(64), name: 'a.etl', sizeBytes: 1000, ...rest };
}

test('an object storage that takes connections and never answers is not opened, in words', async () => {
  await expect(openAt(createTcpServer())).rejects.toMatchObject({ name: 'StoreError', message: SILENT });
});

test('one that falls silent later is given up by whatever asks it, also in the middle of a trace', async () => {
  /** Knows the bucket, sends the first half of one trace, and says nothing more. */
  const answer: RequestListener = (request, response) => {
    if (request.method === 'HEAD') response.end();
    if (request.url?.includes(`${'a'.repeat(64)}/trace`) === true)
      response.writeHead(200, { 'content-length': '1000' }).write('x'.repeat(500));
  };
  const server = createServer(answer);
  const store = await openAt(server);
  atEnd(() => server.closeAllConnections());
  const [sentByHalf, silent] = [newRecord('a'), newRecord('b')];
  const path = join(folder, 'a.etl');
  writeFileSync(path, 'x'.repeat(1000));
  const asked = await Promise.allSettled([
    store.get(silent.id),
    store.list(),
    store.remove(silent.id),
    store.add(silent, path),
    store.checkOut(sentByHalf),
    store.checkOut(silent),
    store.read(silent, { first: 1, last: 2 }),
  ]);
  expect(asked.map((each) => (each.status === 'rejected' ? String(each.reason) : each.value))).toEqual(
    asked.map(() => `StoreError: ${SILENT}`),
  );
});
