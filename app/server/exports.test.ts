import { existsSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connectHost } from '../host/connect-host.ts';
import { WHOLE } from '../host/part.ts';
import { webSocketPort } from '../../shared/border/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { startServer } from './start-server.ts';
import type { RunningServer } from './start-server.ts';
import { ask, signIn } from './testing.ts';

const folder = temporaryFolder();
const trace = join(folder, 'given.etl');
const REQUEST = { part: WHOLE, processes: [], redact: 'all' };

describeReal('exports of a served trace', () => {
  let server: RunningServer;
  let cookie: string;
  let origin: string;
  beforeAll(async () => {
    writeTrace(trace, 'attention');
    server = await startServer({
      host: startHost(join(folder, 'cache')),
      ui: folder,
      traces: [trace],
      uploadsDir: folder,
      hostName: '127.0.0.1',
      port: 0,
    });
    origin = new URL(server.url).origin;
    cookie = await signIn(server.url);
  });
  afterAll(() => server.close());

  test('are written to a place of the server alone, fetched once, and gone', async () => {
    const place = await ask(server.url, '/export?name=..%2F..%2Fa%3Ab.pftrace', {
      headers: { cookie, origin },
      body: '',
    });
    const { path } = JSON.parse(place.body) as { path: string };
    expect(basename(path)).toBe('a_b.pftrace');
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, { headers: { cookie, origin } });
    await once(socket, 'open');
    const host = connectHost(webSocketPort(socket));
    const { id } = await host.open(trace, {});
    const elsewhere = join(folder, 'elsewhere.pftrace');
    await expect(host.export(id, REQUEST, elsewhere, {})).rejects.toMatchObject({ kind: 'refused' });
    expect(existsSync(elsewhere)).toBe(false);

    const report = await host.export(id, REQUEST, path, {});
    const fetched = await ask(server.url, `/export?path=${encodeURIComponent(path)}`, {
      headers: { cookie },
    });
    expect(fetched.headers).toMatchObject({
      'content-length': String(report.output_bytes),
      'content-disposition': `attachment; filename*=UTF-8''a_b.pftrace`,
    });
    const again = await ask(server.url, `/export?path=${encodeURIComponent(path)}`, { headers: { cookie } });
    expect(again.status).toBe(404);
    await vi.waitFor(() => expect(existsSync(path)).toBe(false));
    socket.close();
  });

  test('are for those who have the cookie, and no way to other files', async () => {
    const secret = join(folder, 'secret.txt');
    writeFileSync(secret, 'secret');
    const path = encodeURIComponent(secret);
    const statuses = await Promise.all([
      ask(server.url, '/export?name=a', { headers: { origin }, body: '' }),
      ask(server.url, '/export?name=a', { headers: { cookie, origin: 'http://evil.example' }, body: '' }),
      ask(server.url, `/export?path=${path}`),
      ask(server.url, `/export?path=${path}`, { headers: { cookie } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 404]);
  });
});
