import { DASHBOARD_ENDING, PANEL_ENDING } from '../../../shared/panel/index.ts';
import type { Session } from '../session.ts';
import { setDraft } from './drafts.ts';
import { saveFile } from './library.ts';
import { openDashboard, openPanel, panelsShown } from './places.ts';

/** Saves the text of the panel `id` under a name, which the page goes to unless the user has left the panel meanwhile. */
export async function savePanel(session: Session, id: string, name: string, text: string): Promise<void> {
  await saveFile(session, `${name}${PANEL_ENDING}`, text);
  setDraft(id, null);
  const shown = panelsShown.peek();
  if (name !== id && shown?.page === 'panel' && shown.id === id) openPanel(name);
}

/** Saves a new dashboard, which the page goes to unless the user has left the list meanwhile. */
export async function saveNewDashboard(session: Session, id: string, text: string): Promise<void> {
  await saveFile(session, `${id}${DASHBOARD_ENDING}`, text);
  if (panelsShown.peek()?.page === 'list') openDashboard(id);
}
