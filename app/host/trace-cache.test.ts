import { createHash } from 'node:crypto';
import { mkdir, readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './testing/real.ts';
import { TraceCache } from './trace-cache.ts';

const HOUR_MS = 3_600_000;

const write =
  (text: string, warnings: string[] = []) =>
  async (path: string): Promise<string[]> => {
    await writeFile(path, text);
    return warnings;
  };

async function idle(dir: string, hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * HOUR_MS);
  await utimes(dir, then, then);
}

test('an entry is there after it was added, with its warnings', async () => {
  const dir = temporaryFolder();
  const cache = new TraceCache(dir, 100);
  expect(await cache.get('a')).toBeNull();
  const entry = { path: join(dir, 'a', 'trace.pftrace'), columns: null, warnings: ['2 buffers lost'] };
  expect(await cache.add('a', write('trace', ['2 buffers lost']))).toEqual({ ...entry, sha256: null });
  const sha256 = createHash('sha256').update('trace').digest('hex');
  expect(await cache.get('a')).toEqual({ ...entry, sha256 });
});

test('nothing stays of an entry that could not be written', async () => {
  const dir = temporaryFolder();
  const failing = async (path: string): Promise<never> => {
    await writeFile(path, 'half');
    throw new Error('disk full');
  };
  await expect(new TraceCache(dir, 100).add('a', failing)).rejects.toThrow('disk full');
  expect(await readdir(dir)).toEqual([]);
});

test('a folder that cannot be written is named, with what to do', async () => {
  const file = join(temporaryFolder(), 'file');
  await writeFile(file, '');
  const dir = join(file, 'traces');
  await expect(new TraceCache(dir, 100).add('a', write('trace'))).rejects.toThrow(
    `the cache folder ${dir}, which converted traces are written to, cannot be written (ENOTDIR): make it writable, ` +
      'or name another folder in the environment variable OUTRANK_CACHE',
  );
});

test('an entry that lost its end is not given out, and removed', async () => {
  const dir = temporaryFolder();
  const cache = new TraceCache(dir, 100);
  const { path } = await cache.add('a', write('trace'));
  await truncate(path, 3);
  expect(await cache.get('a')).toBeNull();
  expect(await readdir(dir)).toEqual([]);
});

test('an entry has columns where some were written, and is removed where one of them lost its end', async () => {
  const dir = temporaryFolder();
  const cache = new TraceCache(dir, 100);
  const withColumns = async (path: string, columns: string): Promise<string[]> => {
    await writeFile(path, 'trace');
    await mkdir(columns);
    await writeFile(join(columns, 'etw_run.arrow'), 'runs');
    return [];
  };
  const columns = join(dir, 'a', 'columns');
  expect((await cache.add('a', withColumns)).columns).toBe(columns);
  expect((await cache.get('a'))?.columns).toBe(columns);
  await truncate(join(columns, 'etw_run.arrow'), 3);
  expect(await cache.get('a')).toBeNull();
});

test('of two that add the same entry at once, both get it', async () => {
  const dir = temporaryFolder();
  const [first, second] = [new TraceCache(dir, 100), new TraceCache(dir, 100)];
  const entries = await Promise.all([first.add('a', write('trace')), second.add('a', write('trace'))]);
  expect(entries[0]).toEqual(entries[1]);
  expect(await readdir(dir)).toEqual(['a']);
});

test('beyond its limit the cache loses what was unused longest, but nothing that may be in use', async () => {
  const dir = temporaryFolder();
  const cache = new TraceCache(dir, 10);
  for (const key of ['old', 'older', 'fresh']) await cache.add(key, write('12345'));
  await idle(join(dir, 'old'), 2);
  await idle(join(dir, 'older'), 3);
  await cache.add('new', write('12345'));
  expect(await readdir(dir)).toEqual(['fresh', 'new']);
});

test('what a dead process left half made is removed after a day', async () => {
  const dir = temporaryFolder();
  await mkdir(join(dir, 'partial-yesterday'));
  await mkdir(join(dir, 'partial-today'));
  await idle(join(dir, 'partial-yesterday'), 25);
  await new TraceCache(dir, 100).add('a', write('trace'));
  expect(await readdir(dir)).toEqual(['a', 'partial-today']);
});
