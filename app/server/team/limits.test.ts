import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describeReal, temporaryFolder, writeTrace } from '../../host/testing/real.ts';
import type { EngineSettings } from './shared-trace.ts';
import { startTestServer } from './testing.ts';
import { Person } from './testing-process.ts';
import { uploadTrace } from '../../host/remote/upload.ts';

const ROWS = (count: number) =>
  `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT ${count}) SELECT n FROM r`;

describeReal('a trace that wants more than a server gives', () => {
  const samples = join(temporaryFolder(), 'stacks.etl');

  /** The page of a trace on a server with some settings. */
  async function view(engines: Partial<EngineSettings>, trace: string) {
    const folder = temporaryFolder();
    const server = await startTestServer(folder, { engines });
    const ann = await Person.withToken(join(folder, 'tokens.json'));
    const { url } = await uploadTrace({ path: trace, to: new URL(server.url), token: ann.token });
    return { id: url.slice(-64), ...(await ann.view(server.url, url.slice(-64))) };
  }

  const minimal = () => writeTrace(join(temporaryFolder(), 'minimal.etl'), 'minimal');

  // The system of Windows has no such limits.
  test.skipIf(process.platform === 'win32')(
    'of memory or room to be converted is refused in words',
    async () => {
      writeTrace(samples, 'stacks', '--count', '150000');
      const small = { memoryBytes: 32 << 20, fileBytes: 1e9 };
      const { host, path } = await view({ converterLimits: small }, samples);
      await expect(host.open(path, {})).rejects.toMatchObject({
        kind: 'converter',
        message: 'stacks.etl: the converter needs more memory than it may have here',
      });
      const short = { memoryBytes: 1e9, fileBytes: 1 << 20 };
      const other = await view({ converterLimits: short }, samples);
      await expect(other.host.open(other.path, {})).rejects.toMatchObject({
        kind: 'converter',
        message: 'stacks.etl: takes more room when it is converted than it may have here',
      });
    },
  );

  test.skipIf(process.platform === 'win32')('of room to be unpacked is refused in words', async () => {
    const bomb = join(temporaryFolder(), 'bomb.etl.gz');
    writeFileSync(bomb, gzipSync(Buffer.alloc(64 << 20)));
    const { host, path } = await view({ converterLimits: { memoryBytes: 1e9, fileBytes: 1 << 20 } }, bomb);
    await expect(host.open(path, {})).rejects.toMatchObject({
      message: 'bomb.etl.gz: takes more room when it is converted than it may have here',
    });
  });

  test('of time to be opened is given up in words', async () => {
    const { host, path } = await view({ openLimitMs: 6 }, minimal());
    await expect(host.open(path, {})).rejects.toMatchObject({
      kind: 'file',
      message: 'minimal.etl: took longer to open than the 0.0001 minutes that this server gives',
    });
  });

  // Elsewhere a process does not tell its memory so that it costs nothing to look.
  test.skipIf(process.platform !== 'linux')('of memory in its process is ended in words', async () => {
    const { host, path } = await view({ processBytes: 1e6 }, minimal());
    const message = 'the engine took more memory than the 1.0 MB that this server gives, and was ended';
    const forever = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';
    const asked = host.open(path, {}).then(({ id }) => host.query(id, forever));
    await expect(asked).rejects.toThrow(message);
  });

  test('of an answer ends that query alone', async () => {
    const { host, path, id } = await view({ answerBytes: 1e6 }, minimal());
    await host.open(path, {});
    const message = 'the answer is larger than the 1.0 MB that this server sends: ask for less';
    await expect(host.query(id, ROWS(1e6))).rejects.toMatchObject({ kind: 'ended', message });
    await expect(host.queryInParts(id, ROWS(1e6), () => undefined)).rejects.toMatchObject({ message });
    expect((await host.query(id, ROWS(10))).length).toBeGreaterThan(0);
  });

  test('of time for a query ends that query alone', async () => {
    const { host, path, id } = await view({ queryLimitMs: 1000 }, minimal());
    await host.open(path, {});
    await expect(host.query(id, `SELECT count(*) FROM (${ROWS(1e12)})`)).rejects.toMatchObject({
      kind: 'ended',
      message: 'the query took longer than the 1 s that this server gives, and was ended',
    });
    expect((await host.query(id, ROWS(10))).length).toBeGreaterThan(0);
  });
});
