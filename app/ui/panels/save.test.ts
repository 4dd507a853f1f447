// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { place } from '../state.ts';
import { drafts, NEW_PANEL, startDraft } from './drafts.ts';
import { openPanel, openPanels } from './places.ts';
import { saveNewDashboard, savePanel } from './save.ts';
import { machine, text } from './testing.ts';

test.each([
  ['stays', () => undefined, 'panel-mine', 'dashboard-board'],
  ['leaves meanwhile', openPanels, 'panels', 'panel-other'],
])('what is saved is opened where the user %s', async (_, leave, afterPanel, afterDashboard) => {
  const { session, saved } = machine();
  openPanel(startDraft());
  const saving = savePanel(session, NEW_PANEL, 'mine', text('Mine'));
  leave();
  await saving;
  expect(place.value.view).toBe(afterPanel);
  expect(drafts.value.has(NEW_PANEL)).toBe(false);

  openPanels();
  const savingBoard = saveNewDashboard(session, 'board', '{}');
  if (leave === openPanels) openPanel('other');
  await savingBoard;
  expect(place.value.view).toBe(afterDashboard);
  expect([...saved.keys()]).toEqual(['mine.panel.sql', 'board.dashboard.json']);
});
