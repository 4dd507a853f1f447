import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReadBatch } from '../../shared/tables/index.ts';
import { sendTable } from './send-table.ts';

/** A host that has one batch of one table, and answers which columns of it were asked, or within which times. */
const host = {
  readTable: (_id: string, ...[table, batch, columns, within]: Parameters<ReadBatch>) =>
    table === 'etw_run' && batch === 0
      ? Promise.resolve(Uint8Array.from(within?.flatMap(({ start, end }) => [start, end]) ?? columns))
      : Promise.reject(new RangeError(`no batch ${batch} of ${table}`)),
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    void sendTable(host, new URL(request.url ?? '', 'http://localhost').searchParams, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const ask = (query: string) => fetch(`${origin}/table?${query}`);

test('columns of a batch come as bytes', async () => {
  const response = await ask('id=a&table=etw_run&batch=0&columns=0,2,4');
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 2, 4]);
});

test('rows within stretches of time are asked for by their bounds', async () => {
  const response = await ask('id=a&table=etw_run&batch=0&columns=0&start=7,20&end=9.5,21');
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([7, 9, 20, 21]);
});

test('what is not there is said in words', async () => {
  const response = await ask('id=a&table=etw_run&batch=7&columns=0');
  expect([response.status, await response.text()]).toEqual([404, 'no batch 7 of etw_run\n']);
});

test.each([
  '',
  'id=a&table=sched&batch=0&columns=0',
  'id=a&table=etw_run&batch=-1&columns=x',
  'id=a&table=etw_run&batch=0&columns=0&start=x',
  'id=a&table=etw_run&batch=0&columns=0&start=1,2&end=3',
])('a request that cannot be meant is refused: "%s"', async (query) => {
  expect((await ask(query)).status).toBe(400);
});
