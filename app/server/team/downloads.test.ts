import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FetchedTraces } from '../../host/remote/fetched-traces.ts';
import { uploadTrace } from '../../host/remote/upload.ts';
import { atEnd, temporaryFolder } from '../../host/testing/real.ts';
import { FolderStore } from '../store/folder-store.ts';
import { S3Store } from '../store/s3-store.ts';
import { stubAccess } from '../store/stub-access.ts';
import { hasS3Server, startS3Server } from '../store/testing.ts';
import type { TraceStore } from '../store/trace-store.ts';
import { send, startTestServer } from './testing.ts';
import type { TestServer } from './testing.ts';

const folder = temporaryFolder();
const text = 'a trace '.repeat(40_000);
const id = createHash('sha256').update(text).digest('hex');
const path = join(folder, 'lock.etl');
writeFileSync(path, text);

async function openS3(): Promise<TraceStore> {
  stubAccess();
  const { child, endpoint } = await startS3Server(join(folder, 'objects'), 'traces');
  atEnd(() => child.kill('SIGKILL'));
  return S3Store.open({
    bucket: 'traces',
    prefix: 'team',
    copiesDir: join(folder, 'copies'),
    begunDir: join(folder, 'begun'),
    endpoint,
  });
}

describe.each([
  ['a folder', () => FolderStore.open(join(folder, 'store')), true],
  ['an object storage', openS3, hasS3Server],
] as const)('of %s', (kind, open, there) => {
  describe.skipIf(!there)('as a store', () => {
    let server: TestServer;
    beforeAll(async () => {
      const place = join(folder, kind);
      mkdirSync(place);
      server = await startTestServer(place, { store: await open() });
      await uploadTrace({ path, to: new URL(server.url), token: server.tokens.upload });
    });

    const get = (headers: Readonly<Record<string, string>>) =>
      send(server.url, 'GET', `/api/traces/${id}/file`, { headers: { ...server.as.view, ...headers } });

    test('a run of bytes is sent, or what there is instead', async () => {
      const whole = { status: 200, range: undefined, length: '320000', body: text };
      for (const [headers, wanted] of [
        [
          { range: 'bytes=319990-' },
          { status: 206, range: 'bytes 319990-319999/320000', length: '10', body: text.slice(-10) },
        ],
        [
          { range: 'bytes=2-6', 'if-range': `"${id}"` },
          { status: 206, range: 'bytes 2-6/320000', length: '5', body: 'trace' },
        ],
        [{ range: 'bytes=2-6', 'if-range': '"another"' }, whole],
        [{ range: 'bytes=0-1,4-5' }, whole],
        [{}, whole],
      ] as const) {
        const answer = await get(headers);
        expect({
          status: answer.status,
          range: answer.headers['content-range'],
          length: answer.headers['content-length'],
          body: answer.body,
        }).toEqual(wanted);
        expect(answer.headers).toMatchObject({ 'accept-ranges': 'bytes', etag: `"${id}"` });
      }
      const { status, headers, body } = await get({ range: 'bytes=320000-' });
      expect({ status, range: headers['content-range'], body }).toEqual({
        status: 416,
        range: 'bytes */320000',
        body: 'lock.etl has 320000 bytes\n',
      });
    });

    test('a download that broke off goes on where it was', async () => {
      const dir = join(folder, kind, 'fetched');
      mkdirSync(dir);
      writeFileSync(join(dir, `${id}.part`), text.slice(0, -10));
      const fractions: number[] = [];
      const fetched = await new FetchedTraces(dir, 1 << 30).fetch(
        { origin: server.url, token: server.tokens.view },
        { id, sizeBytes: text.length },
        {
          onProgress: ({ stage, fraction }) => {
            if (stage === 'download') fractions.push(fraction ?? NaN);
          },
        },
      );
      expect(readFileSync(fetched, 'utf8')).toBe(text);
      // One piece was missing, and no more came.
      expect(fractions).toEqual([1]);
    });
  });
});
