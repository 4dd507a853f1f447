import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { uploadTrace } from '../../host/remote/upload.ts';
import { describeReal, temporaryFolder, writeTrace } from '../../host/testing/real.ts';
import { send, startTestServer } from './testing.ts';
import { Person } from './testing-process.ts';

const MINUTE_MS = 60_000;

describeReal('a trace that is open', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A server that closes a trace 15 minutes after its last use, and a page of one that it keeps for two hours. */
  async function start() {
    const folder = temporaryFolder();
    const server = await startTestServer(folder, { openLimits: { engines: 2, idleMs: 15 * MINUTE_MS } });
    const ann = await Person.withToken(join(folder, 'tokens.json'));
    const path = writeTrace(join(folder, 'minimal.etl'), 'minimal');
    const to = { path, to: new URL(server.url), token: ann.token, keptMs: 120 * MINUTE_MS };
    const { url } = await uploadTrace(to);
    const id = url.slice(-64);
    const metric = async (name: string): Promise<number> => {
      const { body } = await send(server.url, 'GET', '/metrics', { headers: server.as.view });
      return Number(new RegExp(`^outrank_${name} (\\S+)$`, 'm').exec(body)?.[1]);
    };
    const pass = async (minutes: number): Promise<void> => {
      vi.setSystemTime(Date.now() + minutes * MINUTE_MS);
      await server.sweep();
    };
    return { id, metric, pass, page: () => ann.view(server.url, id) };
  }

  test('stays open while somebody looks, and for so long after that; then it is opened anew', async () => {
    const { id, metric, pass, page } = await start();
    const first = await page();
    await first.host.open(first.path, {});
    await pass(30);
    expect((await first.host.query(id, 'SELECT 1 AS n')).length).toBeGreaterThan(0);
    await first.close();
    await expect.poll(() => metric('viewers')).toBe(0);
    await pass(14);
    expect(await metric('engines')).toBe(1);
    await pass(1);
    expect(await metric('engines')).toBe(0);
    expect([await metric('engines_started_total'), await metric('engines_evicted_total')]).toEqual([1, 1]);

    const again = await page();
    expect(await again.host.open(again.path, {})).toMatchObject({ id });
    expect(await metric('engines_started_total')).toBe(2);
    await again.close();
  });

  test('is closed for those who look at it when it expires', async () => {
    const { id, metric, pass, page } = await start();
    const { host, path, close } = await page();
    await host.open(path, {});
    await pass(121);
    expect(await metric('engines')).toBe(0);
    await expect(host.query(id, 'SELECT 1 AS n')).rejects.toMatchObject({
      kind: 'not_open',
      message: 'minimal.etl: closed by this server: load the page again',
    });
    await close();
  });
});
