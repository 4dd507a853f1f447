import { PANEL_ENDING } from '../../../shared/panel/index.ts';
import type { Session } from '../session.ts';
import { freeName, libraryPanels, nameOf, saveFile } from './library.ts';

/**
 * Keeps a panel of a link among the user's own, unless one of the same text is there. Resolves to its id there; rejects if its
 * file cannot be written. What is saved counts as read: only what the user has confirmed may be kept.
 */
export async function keepText(session: Session, id: string): Promise<string> {
  const all = libraryPanels.peek();
  const found = all.find((each) => each.id === id);
  if (found?.from !== 'link') return id;
  const here = all.filter(({ from }) => from !== 'link');
  const twin = here.find(({ text }) => text === found.text);
  if (twin !== undefined) return twin.id;
  const taken = here.map((each) => each.id);
  const name = freeName(nameOf(id), taken);
  await saveFile(session, `${name}${PANEL_ENDING}`, found.text);
  return name;
}
