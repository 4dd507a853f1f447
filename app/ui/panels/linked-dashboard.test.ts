// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { makeLink, NO_LINK, readLink } from '../../../shared/link/index.ts';
import { readDashboard, writeDashboard, type Dashboard } from '../../../shared/panel/index.ts';
import { confirmPanel, libraryDashboards, libraryPanels, saveFile } from './library.ts';
import { asLinked, restoreLinked, setLinkedDashboard, showLinked, shownPins } from './linked.ts';
import { dashboardAsLinked, keepDashboard, withCards } from './linked-dashboard.ts';
import { machine, text } from './testing.ts';

const TRACE = 'ab'.repeat(32);

/** What a colleague has: a panel that is pinned, and is on the dashboard too; and one that is there alone, twice. */
const LOGON: Dashboard = {
  id: 'logon',
  file: 'logon.dashboard.json',
  title: 'Logon & <b>lock</b>',
  columns: 3,
  panels: [
    { panel: 'wakes', params: { top: 3 }, width: 2 },
    { panel: 'busy', params: {}, width: 1 },
    { panel: 'wakes', params: {}, width: 3 },
    { panel: 'gone', params: {}, width: 1 },
  ],
};
const brought = () => libraryDashboards.value.find(({ from }) => from === 'link')?.dashboard ?? null;

test('a dashboard goes through a link with its panels, and is the same there; it can be kept once it was read', async () => {
  const { session, saved } = machine();
  for (const name of ['wakes', 'busy']) await saveFile(session, `${name}.panel.sql`, text(name));
  const taken = asLinked(withCards([{ panel: 'busy', params: { top: 9 } }], LOGON));
  const dashboard = dashboardAsLinked(LOGON, taken);
  const given = { ...NO_LINK, panels: [...taken.values()], dashboard };
  expect(given).toEqual({
    ...NO_LINK,
    panels: [
      { name: 'busy', sql: text('busy'), params: { top: 9 } },
      { name: 'wakes', sql: text('wakes'), pinned: false },
    ],
    dashboard: {
      name: 'logon',
      title: 'Logon & <b>lock</b>',
      columns: 3,
      panels: [
        { panel: 'wakes', params: { top: 3 }, width: 2 },
        { panel: 'busy', width: 1 },
        { panel: 'wakes', width: 3 },
      ],
    },
  });
  const { state, notes } = await readLink(await makeLink(given));
  expect({ state, notes }).toEqual({ state: given, notes: [] });

  // There "busy" is another panel, and nothing of the link was read yet.
  await saveFile(session, 'busy.panel.sql', text('another'));
  await saveFile(session, 'wakes.panel.sql', text('another'));
  const pages = showLinked(session, TRACE, state);
  expect(pages.get('dashboard-logon')).toBe('dashboard--logon');
  expect(brought()).toEqual({
    id: '-logon',
    file: 'logon.dashboard.json',
    title: 'Logon & <b>lock</b>',
    columns: 3,
    panels: [
      { panel: '-wakes', params: { top: 3 }, width: 2 },
      { panel: '-busy', params: {}, width: 1 },
      { panel: '-wakes', params: {}, width: 3 },
    ],
  });
  expect(shownPins.value).toEqual([{ panel: '-busy', params: { top: 9 }, ofLink: true }]);
  const ofLink = libraryPanels.value.filter(({ from }) => from === 'link');
  expect(ofLink.map(({ id, confirmed }) => [id, confirmed])).toEqual([
    ['-busy', false],
    ['-wakes', false],
  ]);

  for (const each of ofLink) await confirmPanel(session, each);
  saved.clear();
  const there = brought();
  if (there === null) throw new Error('the link brought no dashboard');
  expect(await keepDashboard(session, there)).toBe('logon');
  expect([...saved.keys()]).toEqual(['wakes-2.panel.sql', 'busy-2.panel.sql', 'logon.dashboard.json']);
  expect(
    readDashboard({ name: 'logon.dashboard.json', text: saved.get('logon.dashboard.json') ?? '' }),
  ).toEqual({
    ...there,
    id: 'logon',
    panels: [
      { panel: 'wakes-2', params: { top: 3 }, width: 2 },
      { panel: 'busy-2', params: {}, width: 1 },
      { panel: 'wakes-2', params: {}, width: 3 },
    ],
  });
  saved.clear();
  expect([await keepDashboard(session, there), saved.size]).toEqual(['logon', 0]);
  const changed = { ...there, columns: 1 };
  expect([await keepDashboard(session, changed), [...saved]]).toEqual([
    'logon-2',
    [
      [
        'logon-2.dashboard.json',
        writeDashboard({
          ...changed,
          panels: changed.panels.map((card) => ({ ...card, panel: `${card.panel.slice(1)}-2` })),
        }),
      ],
    ],
  ]);
  showLinked(session, TRACE, NO_LINK);
});

test('a dashboard of a link is there again after a reload, as it was changed, and gone with the next link', () => {
  const { session, saved } = machine();
  const panels = [{ name: 'wakes', sql: text('wakes'), pinned: false as const }];
  const cards = [{ panel: 'wakes', width: 1 }];
  showLinked(session, TRACE, {
    panels,
    dashboard: { name: 'logon', title: 'Logon', columns: 2, panels: cards },
  });
  const there = brought();
  if (there === null) throw new Error('the link brought no dashboard');
  const card = { panel: '-wakes', params: { top: 4 }, width: 2 };
  setLinkedDashboard({ ...there, title: 'Mine', panels: [card] });
  const changed = brought();
  const kept = Object.entries(sessionStorage) as [string, string][];
  showLinked(session, 'cd'.repeat(32), NO_LINK);
  expect([brought(), libraryPanels.value.filter(({ from }) => from === 'link')]).toEqual([null, []]);
  for (const [name, value] of kept) sessionStorage.setItem(name, value);
  restoreLinked(session, TRACE);
  expect(brought()).toEqual(changed);
  expect([shownPins.value, saved.size]).toEqual([[], 0]);
  showLinked(session, TRACE, NO_LINK);
});
