import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import { hasS3Server, S3_ACCESS, startS3Server, type S3Server } from '../../server/store/testing.ts';
import { contentsOf } from '../testing/contents.ts';
import { startRefusingProxy, type RefusingProxy } from '../testing/refusing-proxy.ts';
import { sampleTrace, type Sample } from '../testing/rows.ts';
import { storeTrace } from './add.ts';
import { checkLake } from './check.ts';
import { compactLake } from './compact.ts';
import { startDuckDB, type OpenDuckDB } from './duckdb.ts';
import { Lake } from './lake.ts';

const folder = temporaryFolder();
const copies = join(folder, 'copies');
let duckdb: OpenDuckDB;
beforeAll(async () => {
  duckdb = await startDuckDB({ memoryBytes: 256 << 20, threads: 1 });
});
afterAll(() => duckdb.end());

async function store(lake: Lake, sample: Sample): Promise<void> {
  await storeTrace({ lake, duckdb, outrankVersion: '0.1.0' }, sampleTrace(sample), await lake.list());
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : error),
  );

describe.skipIf(!hasS3Server)('a bucket', () => {
  let s3: S3Server;
  let proxy: RefusingProxy;
  let count = 0;
  beforeAll(async () => {
    s3 = await startS3Server(join(folder, 'objects'), 'bucket');
    proxy = await startRefusingProxy(s3.port);
    for (const [name, value] of Object.entries(S3_ACCESS)) vi.stubEnv(name, value);
    vi.stubEnv('AWS_ENDPOINT_URL_S3', proxy.endpoint);
    // A refusal with 507 is asked again by the SDK.
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  });
  afterEach(() => proxy.refuse(null));
  afterAll(async () => {
    vi.unstubAllEnvs();
    await proxy.end();
    s3.child.kill('SIGKILL');
  });

  test.each([
    ['is full', { status: 507, code: 'InsufficientStorage' }, 'takes no more'],
    ['has a quota', { status: 403, code: 'QuotaExceeded' }, 'takes no more'],
    ['takes no such large object', { status: 400, code: 'EntityTooLarge' }, 'takes no more'],
    ['gives no right to write', { status: 403, code: 'AccessDenied' }, 'no right to that'],
  ])(
    'that %s in the middle is told in words; nothing is lost, and nothing counted twice',
    async (_, refused, words) => {
      const said = `s3://bucket: ${words}: says ${refused.code}`;
      const lake = await Lake.open(`s3://bucket/lake-${count++}`, { create: true });
      await store(lake, { number: 1 });
      const before = await contentsOf(lake, copies);

      // A new trace, the same trace with another tag, and a pack: each stops somewhere, and leaves what was there.
      const works = [
        () => store(lake, { number: 2 }),
        () => store(lake, { number: 1, build: '7' }),
        () => compactLake({ lake, duckdb }),
      ];
      for (const work of works)
        for (const after of [0, 5]) {
          proxy.refuse(refused, after);
          expect(await refusal(work())).toBe(said);
          proxy.refuse(null);
          expect(await contentsOf(lake, copies)).toEqual(before);
          expect((await checkLake(lake, duckdb)).problems).toEqual([]);
        }

      await store(lake, { number: 2 });
      await store(lake, { number: 1, build: '7' });
      const whole = await Lake.open(`s3://bucket/lake-${count++}`, { create: true });
      await store(whole, { number: 1, build: '7' });
      await store(whole, { number: 2 });
      expect(await contentsOf(lake, copies)).toEqual(await contentsOf(whole, copies));
    },
  );

  test('that gives no right to write makes no lake, in words', async () => {
    proxy.refuse({ status: 403, code: 'AccessDenied' });
    expect(await refusal(Lake.open('s3://bucket/none', { create: true }))).toBe(
      's3://bucket: no right to that: says AccessDenied',
    );
    proxy.refuse(null);
    expect(await refusal(Lake.open('s3://bucket/none'))).toMatch(/there is no lake/);
  });
});

/** Somebody who may read what all may read. */
const NOBODY = 65_534;

test.skipIf(process.platform === 'win32')(
  'a folder in which one may not write is told in words, and can be asked all the same',
  async () => {
    const place = join(folder, 'guarded');
    const lake = await Lake.open(place, { create: true });
    await store(lake, { number: 1 });
    await store(lake, { number: 2 });
    const before = readdirSync(place, { recursive: true }).sort();
    const contents = await contentsOf(lake, copies);
    const home = join(folder, 'nobody');
    mkdirSync(home);
    const root = process.getuid?.() === 0;
    if (root) chownSync(home, NOBODY, NOBODY);
    chmodSync(folder, 0o755);
    for (const path of ['', ...readdirSync(place, { recursive: true, encoding: 'utf8' })])
      chmodSync(join(place, path), 0o555);
    const outrank = async (...args: readonly string[]) => {
      const program = join(import.meta.dirname, '..', '..', 'cli', 'outrank.mjs');
      const child = spawn(process.execPath, [program, 'lake', ...args], {
        env: { ...process.env, HOME: home, TMPDIR: home, OUTRANK_CACHE: join(home, 'cache') },
        ...(root && { uid: NOBODY, gid: NOBODY }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
      child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
      const code = await new Promise((resolve) => child.once('close', resolve));
      return { code, stdout, stderr };
    };
    const { code, stderr } = await outrank('compact', place);
    expect(stderr).toMatch(/guarded: no right to have files written there: EACCES/);
    expect(code).not.toBe(0);
    const asked = await outrank(
      'query',
      place,
      '--sql',
      'SELECT count(*) AS n FROM trace',
      '--format',
      'csv',
    );
    expect(asked).toMatchObject({ code: 0, stdout: 'n\r\n2\r\n' });
    for (const path of ['', ...readdirSync(place, { recursive: true, encoding: 'utf8' })])
      chmodSync(join(place, path), 0o755);
    expect(readdirSync(place, { recursive: true }).sort()).toEqual(before);
    expect(await contentsOf(lake, copies)).toEqual(contents);
  },
);
