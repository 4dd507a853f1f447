import '@fontsource-variable/inter/wght.css';
import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { Comparer } from './compare/run.ts';
import { bindKeys } from './commands.ts';
import type { Door } from './door.ts';
import { loadParts } from './view-parts/load-parts.ts';
import { followFiles } from './panels/library.ts';
import { readPins } from './panels/pinned.ts';
import { readHistory } from './query/history.ts';
import { Session } from './session.ts';
import { applyTheme, keepPlaceInUrl, listAddress, phase } from './state.ts';
import { followTraces } from './symbols/load.ts';
import { buildTables } from './tables.ts';
import { messageOf } from '../../shared/model/index.ts';

/** Starts the page behind a door. What goes wrong is shown. */
export async function startPage(openDoor: () => Promise<Door>): Promise<void> {
  applyTheme();
  const root = document.querySelector('#app');
  if (root === null) throw new Error('the page has no #app');
  try {
    const door = await openDoor();
    listAddress.value = door.list ?? null;
    const session = new Session(door);
    bindKeys(session);
    buildTables(session.query, (onProgress) => session.loadWhole(onProgress));
    loadParts(session);
    followTraces(session);
    const comparer = new Comparer(session);
    keepPlaceInUrl({
      onOtherTrace: (place) => void session.comeBack(place),
      onLink: (fragment) => void session.openLink(fragment),
    });
    followFiles(session);
    // What was kept is a comfort: the page goes on without.
    readHistory(door.host.userFiles).catch(() => undefined);
    readPins(session).catch(() => undefined);
    render(<App session={session} comparer={comparer} />, root);
    await session.start();
  } catch (error) {
    const message = messageOf(error);
    phase.value = { kind: 'failed', name: 'Outrank', message, retry: () => location.reload() };
    render(<App session={null} comparer={null} />, root);
  }
}
