import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { OpenError } from './api.ts';
import { contentHash } from './content-hash.ts';
import { KnownHashes } from './known-hashes.ts';

const folder = mkdtempSync(join(tmpdir(), 'outrank-hashes-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The hashes of the bytes `a` and `b`. */
const A = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
const B = '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d';

test('a file is read once while it stays as it is', async () => {
  const list = join(folder, 'hashes.json');
  const path = join(folder, 'a.etl');
  const hashes = new KnownHashes(list);

  // What was written a moment ago may be written again within the same tick of the clock: nothing is kept of it.
  writeFileSync(path, 'a');
  expect(await hashes.of(path)).toBe(A);
  expect(() => readFileSync(list)).toThrow('ENOENT');

  await setTimeout(2_100);
  expect(await hashes.of(path)).toBe(A);
  const kept = JSON.parse(readFileSync(list, 'utf8')) as { file: string; sha256: string }[];
  expect(kept.map(({ sha256 }) => sha256)).toEqual([A]);
  // The list is believed: another hash in it is what comes back.
  writeFileSync(list, JSON.stringify(kept.map((each) => ({ ...each, sha256: B }))));
  expect(await hashes.of(path)).toBe(B);

  // Other bytes of the same size and the same time of change: the time of the change of the entry tells.
  const past = new Date(0);
  writeFileSync(path, 'b');
  utimesSync(path, past, past);
  expect(await hashes.of(path)).toBe(B);
  writeFileSync(path, 'a');
  utimesSync(path, past, past);
  expect(await hashes.of(path)).toBe(A);
});

test('a damaged list is no list', async () => {
  const list = join(folder, 'damaged.json');
  const path = join(folder, 'b.etl');
  writeFileSync(list, '[{"file": 1}');
  writeFileSync(path, 'b');
  expect(await new KnownHashes(list).of(path)).toBe(B);
});

test('a file that is gone is named in plain words', async () => {
  const hashes = new KnownHashes(join(folder, 'hashes-of-none.json'));
  const gone = join(folder, 'gone.etl');
  const told = new OpenError('file', `${gone}: no such file`);
  await expect(hashes.knows(gone)).rejects.toEqual(told);
  await expect(hashes.of(gone)).rejects.toEqual(told);
  await expect(contentHash(gone)).rejects.toEqual(told);
});
