import { toText, type Row } from '../../../shared/engine/index.ts';
import { isLink } from '../../../shared/link/index.ts';
import { processLabel, threadLabel } from '../../../shared/threads/index.ts';
import type { Selection } from '../../../shared/view/index.ts';
import { views } from '../../../views/index.ts';
import { commands } from '../commands.ts';
import { libraryDashboards, libraryPanels } from '../panels/library.ts';
import { openDashboard, openPanel } from '../panels/places.ts';
import type { Session } from '../session.ts';
import { currentView, goTo, loaded } from '../state.ts';
import { needTables } from '../tables.ts';
import processesSql from './processes.sql';
import threadsSql from './threads.sql';

/** One line of the palette. */
export interface Entry {
  readonly id: string;
  readonly kind: 'Command' | 'View' | 'Panel' | 'Dashboard' | 'Process' | 'Thread' | 'Recent trace' | 'Link';
  readonly title: string;
  /** The keys that do the same; empty where there are none. */
  readonly keys: readonly string[];
  run(): void;
}

/** What is there at once: commands, and with a trace its views, panels and dashboards, and the keys of the view in use. */
export function commandEntries(session: Session): readonly Entry[] {
  const opened = loaded.peek() !== null;
  const shown = commands.filter(
    ({ id, group, ofTrace }) => id !== 'palette' && (opened || (group === 'App' && ofTrace !== true)),
  );
  return [
    ...shown.map((command): Entry => ({
      id: command.id,
      kind: command.group === 'Views' ? 'View' : 'Command',
      title: command.title,
      keys: command.keys.map(({ label }) => label),
      run: () => command.run(session),
    })),
    ...(opened ? panelEntries() : []),
    ...(opened ? (currentView.peek()?.keys ?? []) : []).map(({ key, title }): Entry => ({
      id: `key-${key}`,
      kind: 'Command',
      title,
      keys: [key],
      // The drawn view listens to the key itself.
      run: () => document.dispatchEvent(new KeyboardEvent('keydown', { key })),
    })),
  ];
}

/** What a pasted text leads to: a link. */
export function pastedEntries(session: Session, pasted: string): readonly Entry[] {
  const link = pasted.trim();
  if (!isLink(link)) return [];
  const run = () => void session.openLink(link);
  return [{ id: 'pasted-link', kind: 'Link', title: 'Open this link', keys: [], run }];
}

function panelEntries(): readonly Entry[] {
  return [
    ...libraryPanels.peek().map(({ id, read }): Entry => ({
      id: `panel-${id}`,
      kind: 'Panel',
      title: read.panel?.title ?? id,
      keys: [],
      run: () => openPanel(id),
    })),
    ...libraryDashboards.peek().map(({ id, dashboard }): Entry => ({
      id: `dashboard-${id}`,
      kind: 'Dashboard',
      title: dashboard?.title ?? id,
      keys: [],
      run: () => openDashboard(id),
    })),
  ];
}

/** What has to be asked for: processes and threads of the trace, and traces opened before. */
export async function askedEntries(session: Session): Promise<readonly Entry[]> {
  const [processes, threads, recent] = await Promise.all([
    rows(session, processesSql),
    rows(session, threadsSql),
    session.door.host.recent(),
  ]);
  const openNow = loaded.peek()?.opened.id;
  return [
    ...recent
      .filter(({ id }) => id !== openNow)
      .map(({ id, name, path }): Entry => ({
        id: `recent-${id}`,
        kind: 'Recent trace',
        title: name,
        keys: [],
        run: () => void session.open(path),
      })),
    ...processes.map(processEntry),
    ...threads.map(threadEntry),
  ];
}

async function rows(session: Session, sql: string): Promise<readonly Row[]> {
  const trace = loaded.peek();
  if (trace === null) return [];
  if (trace.opened.tables === undefined) await needTables(['etw.process']);
  return [...(await session.outline(sql)).rows()];
}

function processEntry({ pid, name, services, ts }: Row): Entry {
  const process = typeof name === 'string' ? name : 'unknown process';
  const chosen = { span: null, thread: null, pid: Number(pid) };
  return {
    id: `process-${Number(pid)}-${Number(ts)}`,
    kind: 'Process',
    title: processLabel({ process, pid: Number(pid), services: toText(services) }),
    keys: [],
    run: () => show('process', process, chosen),
  };
}

function threadEntry({ tid, name, pid, process_name, service, ts }: Row): Entry {
  const thread = { tid: Number(tid), ts: Number(ts) };
  const words = { process: toText(process_name), service: toText(service), thread: toText(name) };
  return {
    id: `thread-${thread.tid}-${thread.ts}`,
    kind: 'Thread',
    title: threadLabel({ ...words, tid: thread.tid }),
    keys: [],
    run: () =>
      show('thread', String(thread.tid), { span: null, thread, pid: pid === null ? null : Number(pid) }),
  };
}

/** Selects, and filters by it: the view in use if it has that filter, else the first view that has. */
function show(param: 'process' | 'thread', value: string, selection: Selection): void {
  const now = currentView.peek();
  const has = (view: typeof now) => view?.params[param]?.type === 'text';
  const view = has(now) ? now : views.find(has);
  if (view === undefined) goTo({ selection });
  else goTo({ view: view.id, params: { [param]: value }, selection });
}
