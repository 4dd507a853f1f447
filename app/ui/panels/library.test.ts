// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { UserFileList } from '../../host/api.ts';
import type { Door } from '../door.ts';
import { Session } from '../session.ts';
import { confirmPanel, followFiles, libraryPanels } from './library.ts';
import { text } from './testing.ts';

test('a list that was read before a text was confirmed does not take the confirmation back', async () => {
  const asked: { readonly since: string | null; readonly answer: (list: UserFileList) => void }[] = [];
  const userFiles = {
    list: (_: string | null, since: string | null) =>
      new Promise<UserFileList>((answer) => asked.push({ since, answer })),
    confirm: () => Promise.resolve(),
  };
  const list = (stamp: string, confirmed: boolean): UserFileList => ({
    stamp,
    files: [{ name: 'theirs.panel.sql', text: text('Theirs'), from: 'trace', confirmed }],
    rules: { files: [], refused: [] },
  });
  const theirs = () => libraryPanels.value.find(({ id }) => id === 'theirs');
  const session = new Session({ host: { userFiles } } as unknown as Door);

  followFiles(session);
  asked[0]?.answer(list('first', false));
  await expect.poll(() => asked.map(({ since }) => since)).toEqual([null, 'first']);
  const unread = theirs();
  if (unread === undefined) throw new Error('the panel is not listed');
  expect(unread.confirmed).toBe(false);

  await confirmPanel(session, unread);
  expect(theirs()?.confirmed).toBe(true);
  asked[1]?.answer(list('read before', false));
  await expect.poll(() => asked.map(({ since }) => since)).toEqual([null, 'first', null]);
  expect(theirs()?.confirmed).toBe(true);
  asked[2]?.answer(list('read after', true));
  await expect.poll(() => asked.map(({ since }) => since)).toEqual([null, 'first', null, 'read after']);
  expect(theirs()?.confirmed).toBe(true);
});
