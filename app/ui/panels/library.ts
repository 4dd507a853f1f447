import { computed, effect, signal } from '@preact/signals';
import { shippedPanels } from '../../../panels/index.ts';
import {
  DASHBOARD_ENDING,
  panelFault,
  PANEL_ENDING,
  readDashboard,
  readPanel,
  type Dashboard,
  type Panel,
  type PanelFault,
} from '../../../shared/panel/index.ts';
import type { LinkedDashboard, LinkState } from '../../../shared/link/index.ts';
import { SqlFileError } from '../../../shared/sql-file/index.ts';
import type { UserFile } from '../../host/api.ts';
import type { Session } from '../session.ts';
import { loaded } from '../state.ts';
import { takeRules } from '../user-rules.ts';

/** A panel, where it lies, and what of it is wrong. */
export interface LibraryPanel {
  readonly id: string;
  readonly text: string;
  readonly from: 'shipped' | 'link' | UserFile['from'];
  readonly confirmed: boolean;
  /** The panel, or why its text is none. */
  readonly read: ReadPanel;
}

/** What a text is read as. */
export type ReadPanel =
  { readonly panel: Panel; readonly fault: null } | { readonly panel: null; readonly fault: PanelFault };

/** A dashboard, or why its file is none. */
export interface LibraryDashboard {
  readonly id: string;
  readonly from: 'link' | UserFile['from'];
  readonly dashboard: Dashboard | null;
  readonly fault: string | null;
}

/** What a link brings besides its place. */
export type Brought = Pick<LinkState, 'panels' | 'dashboard'>;

/** What it is called here. */
interface TakenIds {
  readonly panels: readonly string[];
  readonly dashboard: string | null;
}

const files = signal<readonly UserFile[]>([]);
/** Panels that came with the link that was opened last. */
const linked = signal<readonly LibraryPanel[]>([]);
/** The dashboard that came with it. */
const linkedDashboard = signal<Dashboard | null>(null);
/** How often the user's files were changed from here: a list that was asked for before such a change may lack it. */
let changes = 0;
/** What the id of a panel or a dashboard of a link begins with, and no file's name: none hides another. */
const OF_LINK = '-';
/** A name leaves room for what stands before it in the address of a page. */
const LONGEST_NAME = 50;

/** All panels: the user's own before others of the same name. */
export const libraryPanels = computed((): readonly LibraryPanel[] => {
  const found = files.value.filter(({ name }) => name.endsWith(PANEL_ENDING)).map(asPanel);
  const shipped = shippedPanels
    .map(({ name, text }) => asPanel({ name, text, from: 'shipped', confirmed: true }))
    .filter(({ id }) => !found.some((each) => each.id === id));
  const here = [...found, ...shipped];
  const isKnown = (text: string) => here.some((each) => each.text === text && each.confirmed);
  return [
    ...here,
    ...linked.value.map((each) => ({ ...each, confirmed: each.confirmed || isKnown(each.text) })),
  ];
});

/** All dashboards. */
export const libraryDashboards = computed((): readonly LibraryDashboard[] => {
  const found = files.value.filter(({ name }) => name.endsWith(DASHBOARD_ENDING)).map(asDashboard);
  const brought = linkedDashboard.value;
  if (brought === null) return found;
  return [...found, { id: brought.id, from: 'link', dashboard: brought, fault: null }];
});

/** Reads the text of a panel. */
export function readText(id: string, text: string): ReadPanel {
  try {
    return { panel: readPanel({ name: `${nameOf(id)}${PANEL_ENDING}`, text }), fault: null };
  } catch (error) {
    const fault = panelFault(error, text);
    if (fault === null) throw error;
    return { panel: null, fault };
  }
}

function asPanel({
  name,
  text,
  from,
  confirmed,
}: Omit<UserFile, 'from'> & Pick<LibraryPanel, 'from'>): LibraryPanel {
  const id = name.slice(0, -PANEL_ENDING.length);
  return { id, text, from, confirmed, read: readText(id, text) };
}

function asDashboard(file: UserFile): LibraryDashboard {
  const { from } = file;
  const id = file.name.slice(0, -DASHBOARD_ENDING.length);
  try {
    return { id, from, dashboard: readDashboard(file), fault: null };
  } catch (error) {
    if (!(error instanceof SqlFileError)) throw error;
    return { id, from, dashboard: null, fault: error.message };
  }
}

/** Follows the folders of the user, that of rules too, and of the open trace. */
export function followFiles(session: Session): void {
  const { door } = session;
  effect(() => {
    const id = loaded.value?.opened.id ?? null;
    const abort = new AbortController();
    void follow(id, abort.signal);
    return () => abort.abort();
  });

  async function follow(id: string | null, signal: AbortSignal): Promise<void> {
    const PAUSE_MS = 5_000;
    let stamp: string | null = null;
    const isOver = () => signal.aborted;
    while (!isOver()) {
      try {
        const changesBefore = changes;
        const list = await door.host.userFiles.list(id, stamp, signal);
        if (isOver()) return;
        if (changes !== changesBefore) {
          stamp = null;
          continue;
        }
        files.value = list.files;
        takeRules(session, list.rules);
        stamp = list.stamp;
      } catch {
        // The host is gone, or has closed the trace: what is known stays.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
}

/** Saves a file of the user's; it is known at once. */
export async function saveFile({ door }: Session, name: string, text: string): Promise<void> {
  await door.host.userFiles.save(name, text);
  changes++;
  const others = files.peek().filter((file) => file.name !== name);
  files.value = [{ name, text, from: 'user', confirmed: true }, ...others];
}

/** Lets a panel run that the user has read. */
export async function confirmPanel({ door }: Session, { text }: LibraryPanel): Promise<void> {
  await door.host.userFiles.confirm(text);
  changes++;
  noteConfirmed(text);
}

/**
 * Takes the panels and the dashboard of a link in the place of those before. None runs that was not confirmed here. The ids of
 * the panels, in order, and of the dashboard, if there is one.
 */
export function takeLinked({ door }: Session, { panels, dashboard }: Brought): TakenIds {
  const ids: string[] = [];
  linked.value = panels.map(({ name, sql }) => {
    const id = OF_LINK + freeName(asFileName(name), ids.map(nameOf));
    ids.push(id);
    return { id, text: sql, from: 'link', confirmed: false, read: readText(id, sql) };
  });
  for (const text of new Set(panels.map(({ sql }) => sql))) {
    door.host.userFiles.isConfirmed(text).then(
      (confirmed) => confirmed && noteConfirmed(text),
      () => undefined,
    );
  }
  linkedDashboard.value = dashboard === undefined ? null : asLibraryDashboard(dashboard, idOf);
  return { panels: ids, dashboard: linkedDashboard.peek()?.id ?? null };

  function idOf(panel: string): string | undefined {
    return ids[panels.findIndex(({ name }) => name === panel)];
  }
}

/** Changes the dashboard that came with the link, until the trace is closed. */
export function changeLinkedDashboard(next: Dashboard): void {
  linkedDashboard.value = next;
}

function asLibraryDashboard(
  { name, title, columns, panels }: LinkedDashboard,
  idOf: (panel: string) => string | undefined,
): Dashboard {
  const cards = panels.flatMap(({ panel, params = {}, width }) => {
    const id = idOf(panel);
    return id === undefined ? [] : [{ panel: id, params, width }];
  });
  return { id: OF_LINK + name, file: `${name}${DASHBOARD_ENDING}`, title, columns, panels: cards };
}

/** What a panel is called wherever it comes from, and what its file would be called. */
export function nameOf(id: string): string {
  return id.startsWith(OF_LINK) ? id.slice(OF_LINK.length) : id;
}

/** `base`, or the first `base-N` that is free. */
export function freeName(base: string, taken: readonly string[]): string {
  let name = base;
  for (let number = 2; taken.includes(name); number++) name = `${base}-${number}`;
  return name;
}

function asFileName(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return letters.replace(/^-+/, '').slice(0, LONGEST_NAME).replace(/-+$/, '') || 'panel';
}

function noteConfirmed(text: string): void {
  const note = <T extends { readonly text: string }>(all: readonly T[]): readonly T[] =>
    all.map((each) => (each.text === text ? { ...each, confirmed: true } : each));
  files.value = note(files.peek());
  linked.value = note(linked.peek());
}
