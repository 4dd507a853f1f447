import { request } from 'node:http';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import { send, startTestServer } from './testing.ts';

test('a body that brings a byte now and then is broken off; what came stays, and is gone on from', async () => {
  const server = await startTestServer(temporaryFolder(), {
    uploadLimits: { eachBytes: 1000, underWay: 1, abandonedMs: 60_000, slowMs: 300 },
  });
  const headers = server.as.upload;
  const body = JSON.stringify({ name: 'a.etl', sizeBytes: 1000 });
  const begun = await send(server.url, 'POST', '/api/uploads', { headers, body });
  const { url } = JSON.parse(begun.body) as { readonly url: string };

  const slow = request(new URL(url, server.url), {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-length': '1000' },
    agent: false,
  });
  const drip = setInterval(() => slow.write('x'), 10);
  // That the server ends the connection is an error to its client.
  await new Promise((resolve) => slow.on('error', resolve));
  clearInterval(drip);

  const { headers: at } = await send(server.url, 'HEAD', url, { headers });
  const came = Number(at['upload-offset']);
  expect(came).toBeGreaterThan(0);
  expect(came).toBeLessThan(1000);
  const rest = await send(server.url, 'PATCH', url, {
    headers: { ...headers, 'upload-offset': came },
    body: 'x'.repeat(1000 - came),
  });
  expect(rest.status).toBe(200);
});
