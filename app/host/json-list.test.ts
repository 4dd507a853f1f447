import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { JsonList } from './json-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'outrank-json-list-'));
afterAll(() => rmSync(folder, { recursive: true }));

const asNumbers = (value: unknown): readonly number[] | null =>
  Array.isArray(value) ? value.map(Number) : null;

test('items that are added at once are all listed, newest first, up to the most', async () => {
  const list = new JsonList(join(folder, 'numbers.json'), asNumbers, 3);
  expect(await list.list()).toEqual([]);
  await Promise.all([1, 2, 3, 2, 4].map((item) => list.add(item, (other) => other === item)));
  expect(await list.list()).toEqual([4, 2, 3]);
});
