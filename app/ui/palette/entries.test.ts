// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Session } from '../session.ts';
import { pastedEntries } from './entries.ts';

test('a link that is pasted can be opened; words are no link', () => {
  const opened: string[] = [];
  const session = { openLink: (link: string) => Promise.resolve(opened.push(link)) } as unknown as Session;
  expect(pastedEntries(session, 'outrank open')).toEqual([]);
  const [entry] = pastedEntries(session, ' outrank://open#3.abc\n');
  expect(entry).toMatchObject({ kind: 'Link', title: 'Open this link' });
  entry?.run();
  expect(opened).toEqual(['outrank://open#3.abc']);
});
