import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { atEnd, temporaryFolder } from '../../host/testing/real.ts';
import { FolderStore } from './folder-store.ts';
import { readS3Address } from './s3-asker.ts';
import { S3Store } from './s3-store.ts';
import { stubAccess } from './stub-access.ts';
import { hasS3Server, startS3Server } from './testing.ts';
import type { TraceRecord, TraceStore } from './trace-store.ts';

const folder = temporaryFolder();
const objects = join(folder, 'objects');
let endpoint: string;

beforeAll(async () => {
  if (!hasS3Server) return;
  stubAccess();
  const server = await startS3Server(objects, 'traces');
  endpoint = server.endpoint;
  atEnd(() => server.child.kill('SIGKILL'));
});

const openS3 = (secret = 'secret'): Promise<S3Store> => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
  return S3Store.open({
    bucket: 'traces',
    prefix: 'team',
    copiesDir: join(folder, 'copies'),
    begunDir: join(folder, 'begun'),
    endpoint,
  });
};

function writeFile(name: string, bytes: Buffer): { path: string; record: TraceRecord } {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const id = createHash('sha256').update(bytes).digest('hex');
  const rest = { by: 'ann', uploadedAtMs: 1, expiresAtMs: null, deleteTokenHash: 'f'.repeat(64) };
  return { path, record: { id, name, sizeBytes: bytes.length, ...rest } };
}

describe.each([
  ['a folder', () => FolderStore.open(join(folder, 'store')), true],
  ['an object storage', openS3, hasS3Server],
] as const)('%s', (_, open, there) => {
  describe.skipIf(!there)('as a store', () => {
    let store: TraceStore;
    beforeAll(async () => {
      store = await open();
    });

    test(
      'keeps traces of any size by their hash, and gives them back as they were',
      { timeout: 240_000 },
      async () => {
        // More than two parts of an upload to S3.
        const large = writeFile('large.etl', randomBytes(34 << 20));
        const small = writeFile('small.etl', Buffer.from('small'));
        for (const { record, path } of [large, small]) await store.add(record, path);
        expect(await store.get(large.record.id)).toEqual(large.record);
        expect(new Set(await store.list())).toEqual(new Set([large.record, small.record]));
        const copy = await store.checkOut(large.record);
        expect(readFileSync(copy.path).equals(readFileSync(large.path))).toBe(true);
        await copy.release();
        const run = await buffer(await store.read(large.record, { first: 17 << 20, last: (17 << 20) + 9 }));
        expect(run.equals(readFileSync(large.path).subarray(17 << 20, (17 << 20) + 10))).toBe(true);
        await expect(
          store.read({ ...small.record, sizeBytes: 9 }, { first: 2, last: 3 }),
        ).rejects.toMatchObject({
          name: 'LostTraceError',
        });

        const renamed = { ...small.record, name: 'renamed.etl' };
        await store.add(renamed, small.path);
        expect(await store.get(small.record.id)).toEqual(renamed);
        expect(new Set(await store.list())).toEqual(new Set([large.record, renamed]));
      },
    );

    test('opens again as it was, and forgets what is removed', async () => {
      const { record, path } = writeFile('again.etl', Buffer.from('again'));
      await store.add(record, path);
      const again = await open();
      expect(await again.get(record.id)).toEqual(record);
      await again.remove(record.id);
      await again.remove(record.id);
      expect(await store.get(record.id)).toBe(null);
      expect((await store.list()).map(({ id }) => id)).not.toContain(record.id);
    });

    test.each(['..', '../../etc/passwd', '0'.repeat(63), 'F'.repeat(64), ''])(
      'knows no trace of the id %j',
      async (id) => {
        expect(await store.get(id)).toBe(null);
        await store.remove(id);
      },
    );

    test('can be used', async () => {
      await expect(store.check()).resolves.toBe(undefined);
    });
  });
});

describe.skipIf(!hasS3Server)('an object storage', () => {
  test('keeps a trace under its hash, and no copy of it here once it is released', async () => {
    const store = await openS3();
    const { record, path } = writeFile('released.etl', Buffer.from('released'));
    await store.add(record, path);
    expect(readFileSync(join(objects, 'traces', 'team', record.id, 'trace'), 'utf8')).toBe('released');
    const copy = await store.checkOut(record);
    expect(readFileSync(copy.path, 'utf8')).toBe('released');
    await copy.release();
    expect(readdirSync(join(folder, 'copies'))).toEqual([]);
  });

  test('is asked for the run of bytes that is read, and no copy is made', async () => {
    const store = await openS3();
    const { record, path } = writeFile('run.etl', Buffer.from('a run of bytes'));
    await store.add(record, path);
    const bytes = await store.read(record, { first: 2, last: 4 });
    expect(readdirSync(join(folder, 'copies'))).toEqual([]);
    expect(await text(bytes)).toBe('run');
    await expect(store.read(record, { first: 20, last: 21 })).rejects.toThrow(
      `run.etl: the object team/${record.id}/trace is too short in traces`,
    );
  });

  test('that lost the bytes of a trace says which object is missing', async () => {
    const store = await openS3();
    const { record } = writeFile('lost.etl', Buffer.from('lost'));
    await expect(store.checkOut(record)).rejects.toThrow(
      `lost.etl: the object team/${record.id}/trace is missing in traces`,
    );
  });

  test('that refuses the credentials is named', async () => {
    await expect(openS3('wrong')).rejects.toThrow(/^s3:\/\/traces: cannot be reached: /);
  });
});

test.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '' }],
  ['s3://my.bucket/a/b/', { bucket: 'my.bucket', prefix: 'a/b' }],
  ['s3://B', null],
  ['s3://bucket?x', null],
  ['/s3', null],
])('%s is read', (text, read) => expect(readS3Address(text)).toEqual(read));
