import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRuleFiles } from './user-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'outrank-user-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('rules come by name; a file that is none for its size or kind is refused by its path, and the others go on', async () => {
  const dir = join(folder, 'rules');
  mkdirSync(join(dir, 'folder.sql'), { recursive: true });
  writeFileSync(join(dir, 'slow-b.sql'), '-- b');
  writeFileSync(join(dir, 'slow-a.sql'), '-- a');
  writeFileSync(join(dir, 'notes.txt'), 'no rule');
  writeFileSync(join(dir, 'huge.sql'), '');
  truncateSync(join(dir, 'huge.sql'), (1 << 20) + 1);
  expect(await readRuleFiles(dir, false)).toEqual({
    files: [
      { name: 'slow-a.sql', text: '-- a' },
      { name: 'slow-b.sql', text: '-- b' },
    ],
    refused: [
      { id: 'folder.sql', message: `${join(dir, 'folder.sql')}: is no file` },
      { id: 'huge.sql', message: `${join(dir, 'huge.sql')}: 1048577 bytes are too many for a rule` },
    ],
  });
});

test('a folder that there is not: none where it is optional, an error where it was named', async () => {
  const dir = join(folder, 'missing');
  expect(await readRuleFiles(dir, true)).toEqual({ files: [], refused: [] });
  await expect(readRuleFiles(dir, false)).rejects.toThrow(`${dir}: no such folder`);
});
