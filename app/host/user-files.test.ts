import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { UserFilesOnDisk } from './user-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'outrank-user-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const files = new UserFilesOnDisk(join(folder, 'config'));
const beside = join(folder, 'traces');

test('a saved file is listed as confirmed; a file next to a trace is not, until the user read it', async () => {
  mkdirSync(beside);
  writeFileSync(join(beside, 'theirs.panel.sql'), '-- theirs');
  writeFileSync(join(beside, 'mine.panel.sql'), '-- a twin that counts less');
  writeFileSync(join(beside, 'Not a panel.sql'), '');
  await files.save('mine.panel.sql', '-- mine');
  const theirs = { name: 'theirs.panel.sql', text: '-- theirs', from: 'trace' };
  const mine = { name: 'mine.panel.sql', text: '-- mine', from: 'user', confirmed: true };
  expect((await files.list(beside, null)).files).toEqual([mine, { ...theirs, confirmed: false }]);
  expect(await files.isConfirmed('-- theirs')).toBe(false);
  await files.confirm('-- theirs');
  expect(await files.isConfirmed('-- theirs')).toBe(true);
  expect((await files.list(beside, null)).files).toEqual([mine, { ...theirs, confirmed: true }]);
  writeFileSync(join(beside, 'theirs.panel.sql'), '-- theirs, changed');
  expect((await files.list(beside, null)).files[1]).toMatchObject({ confirmed: false });
});

test('texts that are confirmed at once are all confirmed', async () => {
  const texts = ['-- one', '-- two', '-- three'];
  await Promise.all(texts.map((text) => files.confirm(text)));
  expect(await Promise.all(texts.map((text) => files.isConfirmed(text)))).toEqual([true, true, true]);
});

test('a list waits until the files have changed', async () => {
  const { stamp } = await files.list(null, null);
  const next = files.list(null, stamp);
  await files.save('other.panel.sql', '-- other');
  expect((await next).files.map(({ name }) => name)).toEqual(['mine.panel.sql', 'other.panel.sql']);
});

test('rules come with the list, which waits for changes of them too', async () => {
  const rules = join(folder, 'config', 'rules');
  mkdirSync(rules);
  const { stamp } = await files.list(null, null);
  const next = files.list(null, stamp);
  writeFileSync(join(rules, 'mine.sql'), '-- mine');
  // A file may be seen before its text is in it.
  await expect
    .poll(async () => (await files.list(null, null)).rules)
    .toEqual({ files: [{ name: 'mine.sql', text: '-- mine' }], refused: [] });
  expect((await next).stamp).not.toBe(stamp);
});

test('a wait ends when it is aborted', async () => {
  const { stamp } = await files.list(null, null);
  const abort = new AbortController();
  const waiting = files.list(null, stamp, abort.signal);
  abort.abort();
  expect((await waiting).stamp).toBe(stamp);
});

test.each(['../../evil.panel.sql', 'a.sql', 'A.panel.sql', '.panel.sql', 'a/b.panel.sql'])(
  '%s is no name to save under',
  async (name) => {
    await expect(files.save(name, '')).rejects.toThrow(/a panel is named NAME\.panel\.sql/);
  },
);

test('what is kept comes back', async () => {
  expect(await files.kept('pins')).toBeNull();
  await files.keep('pins', '[1]');
  expect(await files.kept('pins')).toBe('[1]');
});
