import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeQuery } from '../../../shared/engine/index.ts';
import type { Host } from '../../host/api.ts';
import { connectHost } from '../../host/connect-host.ts';
import { webSocketPort } from '../../../shared/border/index.ts';
import { describeReal, temporaryFolder, writeTrace } from '../../host/testing/real.ts';
import { send, startTestServer } from './testing.ts';
import type { TestServer } from './testing.ts';
import { uploadTrace } from '../../host/remote/upload.ts';

const FOREVER = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';

describeReal('a stored trace', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'minimal.etl');
  let server: TestServer;
  let id: string;
  beforeAll(async () => {
    writeTrace(path, 'minimal');
    server = await startTestServer(folder, { openLimits: { engines: 1, idleMs: 0 } });
    id = await upload(path);
  });

  async function upload(file: string): Promise<string> {
    const { url } = await uploadTrace({ path: file, to: new URL(server.url), token: server.tokens.upload });
    return url.slice(-64);
  }

  /** A page that shows a trace. */
  async function view(trace = id): Promise<{ host: Host; path: string; close: () => Promise<unknown> }> {
    const { origin } = new URL(server.url);
    const signed = await send(server.url, 'POST', '/sign-in', {
      headers: { origin },
      body: server.tokens.view,
    });
    const cookie = signed.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const start = await send(server.url, 'GET', `/t/${trace}/start.json`, { headers: { cookie } });
    const url = `${origin.replace('http', 'ws')}/t/${trace}/socket`;
    const socket = new WebSocket(url, { headers: { cookie, origin } });
    await once(socket, 'open');
    const close = (): Promise<unknown> => {
      socket.close();
      return once(socket, 'close');
    };
    return {
      host: connectHost(webSocketPort(socket)),
      ...(JSON.parse(start.body) as { path: string }),
      close,
    };
  }

  const gauge = async (name: string): Promise<number> => {
    const { body } = await send(server.url, 'GET', '/metrics', { headers: server.as.view });
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
  };

  test('is opened once for all who look at it, who are answered by one run of the same query', async () => {
    const first = await view();
    const pages = [first, await view(), await view()];
    expect(first.path).toBe(`/t/${id}/minimal.etl`);
    const opened = await Promise.all(pages.map((page) => page.host.open(page.path, {})));
    expect(new Set(opened.map((trace) => `${trace.id} ${trace.name}`))).toEqual(
      new Set([`${id} minimal.etl`]),
    );
    const computed = await gauge('outrank_answers_computed_total');
    const rows = await Promise.all(
      pages.map(async ({ host }) => [
        ...(await makeQuery((sql) => host.query(id, sql))('SELECT count(*) AS n FROM etw_thread')).rows(),
      ]),
    );
    expect(rows[1]).toEqual(rows[0]);
    expect(rows[2]).toEqual(rows[0]);
    expect(await gauge('outrank_engines')).toBe(1);
    expect(await gauge('outrank_viewers')).toBe(3);
    await first.host.query(id, 'SELECT count(*) AS n FROM etw_thread');
    expect((await gauge('outrank_answers_computed_total')) - computed).toBeLessThanOrEqual(3);
    expect(await gauge('outrank_answers_kept_total')).toBeGreaterThanOrEqual(1);
    await Promise.all(pages.map(({ close }) => close()));
  });

  test('is read only, and its page reaches nothing else', async () => {
    const { host, path, close } = await view();
    await host.open(path, {});
    await expect(host.query(id, 'DROP VIEW etw_thread')).rejects.toMatchObject({
      name: 'EngineError',
      kind: 'sql',
    });
    await expect(host.open('/etc/passwd', {})).rejects.toMatchObject({
      kind: 'refused',
      message: '/etc/passwd: this page shows minimal.etl alone',
    });
    await expect(host.open(path, { with: ['/etc/passwd'] })).rejects.toMatchObject({ kind: 'refused' });
    expect(await host.recent()).toEqual([]);
    await close();
  });

  test('whose engine is killed in a query says so, and answers the next query', async () => {
    const { host, path, close } = await view();
    await host.open(path, {});
    const before = await gauge('outrank_answers_computed_total');
    const asked = host.query(id, FOREVER);
    const outcome = expect(asked).rejects.toMatchObject({
      name: 'EngineError',
      kind: 'crashed',
      message: `in the query \`${FOREVER}\`: the engine is gone: its process ended (SIGKILL); it is started again by the next query`,
    });
    await expect.poll(() => gauge('outrank_answers_computed_total')).toBe(before + 1);
    const other = await view();
    await other.host.open(other.path, {});
    const waiting = other.host.query(id, "SELECT 'waited' AS n");
    await expect.poll(() => gauge('outrank_answers_computed_total')).toBe(before + 2);
    server.killEngines();
    await outcome;
    expect((await waiting).length).toBeGreaterThan(0);
    expect((await host.query(id, "SELECT 'after' AS n")).length).toBeGreaterThan(0);
    await Promise.all([close(), other.close()]);
  });

  test('whose viewer has moved on is not asked for them', async () => {
    const [ann, ben] = [await view(), await view()];
    for (const { host, path } of [ann, ben]) await host.open(path, {});
    const long = ann.host.query(id, FOREVER);
    const given = expect(long).rejects.toMatchObject({ kind: 'ended' });
    const moved = new AbortController();
    const asked = ben.host.query(id, "SELECT 'moved on' AS n", moved.signal);
    moved.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError', message: 'the query was given up' });
    await ann.host.restart(id, {});
    await given;
    expect((await ben.host.query(id, "SELECT 'after' AS n")).length).toBeGreaterThan(0);
    await Promise.all([ann.close(), ben.close()]);
  });

  test('whose page restarts it gives up its own query alone', async () => {
    const { host, path, close } = await view();
    await host.open(path, {});
    const before = await gauge('outrank_answers_computed_total');
    const asked = host.query(id, FOREVER);
    const outcome = expect(asked).rejects.toMatchObject({ kind: 'ended', message: 'the query was given up' });
    await expect.poll(() => gauge('outrank_answers_computed_total')).toBe(before + 1);
    await host.restart(id, {});
    await outcome;
    expect((await host.query(id, 'SELECT 1 AS n')).length).toBeGreaterThan(0);
    await close();
  });

  test('is closed when another wants its room, but not while somebody looks at it', async () => {
    const other = await upload(writeTrace(join(folder, 'other.etl'), 'minimal', '--compressed'));
    const first = await view();
    await first.host.open(first.path, {});
    const second = await view(other);
    await expect(second.host.open(second.path, {})).rejects.toMatchObject({
      kind: 'refused',
      message:
        'this server has 1 trace open, which is all it has memory for: try again when somebody has finished',
    });
    await first.close();
    await expect.poll(() => gauge('outrank_viewers')).toBe(0);
    expect(await second.host.open(second.path, {})).toMatchObject({ id: other });
    await second.close();
    await expect.poll(() => gauge('outrank_viewers')).toBe(0);
    await server.sweep();
    expect(await gauge('outrank_engines')).toBe(0);
  });

  test('whose bytes changed is not opened, says so, and can be uploaded again', async () => {
    writeFileSync(join(folder, 'traces', id, 'file', 'minimal.etl'), 'not what it was');
    const { host, path: shown, close } = await view();
    await expect(host.open(shown, {})).rejects.toMatchObject({
      kind: 'file',
      message: `minimal.etl: damaged on the server: its SHA-256 is ee85ba3c45f4bc3193cb8419533a2f0a9576700d64d8faf5aaa94410382a418c, not ${id}: upload it again`,
    });
    expect(await upload(path)).toBe(id);
    expect(await host.open(shown, {})).toMatchObject({ id, name: 'minimal.etl' });
    await close();
  });

  test('that lacks its end says so, and not where on the server it lies', async () => {
    const cut = join(folder, 'cut.etl');
    writeFileSync(cut, readFileSync(path).subarray(0, 10_000));
    const page = await view(await upload(cut));
    const { warnings } = await page.host.open(page.path, {});
    expect(warnings.map((warning) => warning.split(':')[0])).toEqual(warnings.map(() => 'cut.etl'));
    expect(warnings.length).toBeGreaterThan(0);
    await page.close();
  });

  test('that is deleted is gone for those who look at it too', async () => {
    const { host, path, close } = await view();
    await host.open(path, {});
    const removed = await send(server.url, 'DELETE', `/api/traces/${id}`, { headers: server.as.admin });
    expect(removed.status).toBe(204);
    await expect(host.query(id, 'SELECT 2 AS n')).rejects.toMatchObject({
      kind: 'not_open',
      message: 'minimal.etl: closed by this server: load the page again',
    });
    await close();
  });
});
