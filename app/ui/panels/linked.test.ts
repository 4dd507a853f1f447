// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { confirmPanel, libraryPanels, saveFile } from './library.ts';
import { asLinked, keepLinked, restoreLinked, setPinParams, showLinked, shownPins, unpin } from './linked.ts';
import { pins, setPins } from './pinned.ts';
import { machine, text } from './testing.ts';

const TRACE = 'ab'.repeat(32);
const confirmedOf = (id: string) => libraryPanels.value.find((each) => each.id === id)?.confirmed;

test('pins become a state and a state becomes pins, with params; nothing is a file of the user’s', async () => {
  const { session, saved } = machine(text('read before'));
  const panels = [
    { name: 'Ready by rank', sql: text('rank'), params: { top: 3 } },
    { name: 'ready by RANK', sql: text('read before') },
  ];
  showLinked(session, TRACE, { panels });
  expect(shownPins.value).toEqual([
    { panel: '-ready-by-rank', params: { top: 3 }, ofLink: true },
    { panel: '-ready-by-rank-2', params: {}, ofLink: true },
  ]);
  await expect.poll(() => confirmedOf('-ready-by-rank-2')).toBe(true);
  expect(confirmedOf('-ready-by-rank')).toBe(false);
  expect([...asLinked(shownPins.value).values()]).toEqual([
    { ...panels[0], name: 'ready-by-rank' },
    { ...panels[1], name: 'ready-by-rank-2' },
  ]);
  expect(libraryPanels.value.map(({ read }) => read.fault).filter((fault) => fault !== null)).toEqual([]);
  expect(saved.size).toBe(0);
});

test('a panel of a link and a panel of the user with the same name stay two panels', async () => {
  const { session, saved } = machine();
  await saveFile(session, 'busy.panel.sql', text('mine'));
  setPins(session, [{ panel: 'busy', params: {} }]);
  showLinked(session, TRACE, { panels: [{ name: 'busy', sql: text('theirs') }] });
  const [theirs] = shownPins.value;
  if (theirs === undefined) throw new Error('the panel of the link is not shown');
  expect(shownPins.value.map(({ panel }) => panel)).toEqual(['-busy', 'busy']);
  expect([...asLinked(shownPins.value).values()].map(({ name }) => name)).toEqual(['busy', 'busy-2']);

  setPinParams(session, theirs, { top: 5 });
  const found = libraryPanels.value.find(({ id }) => id === '-busy');
  if (found !== undefined) await confirmPanel(session, found);
  expect([confirmedOf('-busy'), pins.value]).toEqual([true, [{ panel: 'busy', params: {} }]]);

  const [changed] = shownPins.value;
  if (changed !== undefined) await keepLinked(session, changed);
  expect([...saved]).toEqual([
    ['busy.panel.sql', text('mine')],
    ['busy-2.panel.sql', text('theirs')],
  ]);
  expect(shownPins.value).toEqual([
    { panel: 'busy', params: {}, ofLink: false },
    { panel: 'busy-2', params: { top: 5 }, ofLink: false },
  ]);
});

test('the user’s own pin of the same text is shown once; the next link takes its place', () => {
  const { session } = machine();
  setPins(session, [{ panel: 'busy', params: {} }]);
  showLinked(session, TRACE, { panels: [{ name: 'other', sql: text('mine') }] });
  const [only] = shownPins.value;
  expect(shownPins.value).toEqual([{ panel: '-other', params: {}, ofLink: true }]);
  if (only !== undefined) unpin(session, only);
  expect(shownPins.value).toEqual([{ panel: 'busy', params: {}, ofLink: false }]);
  showLinked(session, TRACE, { panels: [] });
  expect(libraryPanels.value.filter(({ from }) => from === 'link')).toEqual([]);
});

test('what a link brought is there again after a reload, as it was changed, for its own trace alone', () => {
  const { session } = machine();
  const broughtPins = () => shownPins.value.filter(({ ofLink }) => ofLink);
  showLinked(session, TRACE, { panels: [{ name: 'busy', sql: text('busy'), params: { top: 3 } }] });
  const [pin] = broughtPins();
  if (pin === undefined) throw new Error('nothing is pinned');
  setPinParams(session, pin, { top: 4 });
  const before = broughtPins();
  const kept = Object.entries(sessionStorage) as [string, string][];
  showLinked(session, 'cd'.repeat(32), { panels: [] });
  for (const [name, value] of kept) sessionStorage.setItem(name, value);
  restoreLinked(session, 'ef'.repeat(32));
  expect(broughtPins()).toEqual([]);
  restoreLinked(session, TRACE);
  expect(broughtPins()).toEqual(before);
  showLinked(session, TRACE, { panels: [] });
});
