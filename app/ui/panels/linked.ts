import { computed, signal } from '@preact/signals';
import { dashboardPage, panelPage, readState, type LinkedPanel } from '../../../shared/link/index.ts';
import type { Dashboard } from '../../../shared/panel/index.ts';
import type { TraceId } from '../../host/api.ts';
import type { Session } from '../session.ts';
import { keepText } from './keep-text.ts';
import {
  changeLinkedDashboard,
  freeName,
  libraryDashboards,
  libraryPanels,
  nameOf,
  takeLinked,
  type Brought,
} from './library.ts';
import { dashboardAsLinked, withCards, type TakenAlong } from './linked-dashboard.ts';
import { pins, setPins, type Pin } from './pinned.ts';

/** A panel below the view, and whether a link brought it. */
export interface ShownPin extends Pin {
  readonly ofLink: boolean;
}

/** What the link that was opened last had pinned. It is kept only if the user asks for it. */
const linkedPins = signal<readonly Pin[]>([]);

/** The trace that they are for. */
let linkedOf: TraceId | null = null;
/** Under which they are kept. */
const KEPT = 'panels-of-link';

/** All panels below the view: those of the link before the user's own, each text once. */
export const shownPins = computed((): readonly ShownPin[] => {
  const textOf = (id: string) => libraryPanels.value.find((each) => each.id === id)?.text;
  const texts = new Set(linkedPins.value.map(({ panel }) => textOf(panel)));
  const own = pins.value.filter(({ panel }) => {
    const text = textOf(panel);
    return text === undefined || !texts.has(text);
  });
  return [
    ...linkedPins.value.map((pin) => ({ ...pin, ofLink: true })),
    ...own.map((pin) => ({ ...pin, ofLink: false })),
  ];
});

/**
 * Shows what a link brings, in the place of what a link before had brought: its pinned panels below the view, its dashboard on
 * a page. Returns the pages here of those that the link calls by its own names.
 */
export function showLinked(session: Session, trace: TraceId, brought: Brought): ReadonlyMap<string, string> {
  const ids = takeLinked(session, brought);
  const panels = brought.panels.map((panel, at) => ({ ...panel, id: ids.panels[at] ?? '' }));
  linkedOf = trace;
  const pinned = panels.filter((panel) => panel.pinned !== false);
  setLinked(pinned.map(({ id, params = {} }) => ({ panel: id, params })));
  const pages = new Map(panels.map(({ name, id }) => [panelPage(name), panelPage(id)]));
  if (ids.dashboard !== null) pages.set(dashboardPage(nameOf(ids.dashboard)), dashboardPage(ids.dashboard));
  return pages;
}

/** Shows again what a link had brought for this trace before the page was loaded again. */
export function restoreLinked(session: Session, trace: TraceId): void {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
    if (typeof kept !== 'object' || kept === null || Reflect.get(kept, 'trace') !== trace) return;
    const { panels, dashboard } = kept as Readonly<Record<string, unknown>>;
    showLinked(session, trace, readState({ panels, dashboard }).state);
  } catch {
    // What cannot be read is as good as nothing.
  }
}

/** Changes the panels of the link, and keeps them for as long as the tab or the window. */
function setLinked(next: readonly Pin[]): void {
  linkedPins.value = next;
  keepForReload();
}

/** Changes the dashboard of the link, likewise. */
export function setLinkedDashboard(next: Dashboard): void {
  changeLinkedDashboard(next);
  keepForReload();
}

function keepForReload(): void {
  const brought = libraryDashboards.peek().find(({ from }) => from === 'link')?.dashboard ?? null;
  const panels = asLinked(withCards(linkedPins.peek(), brought));
  const dashboard = brought === null ? undefined : dashboardAsLinked(brought, panels);
  const kept = { trace: linkedOf, panels: [...panels.values()], dashboard };
  sessionStorage.setItem(KEPT, JSON.stringify(kept));
}

/** Panels as a link says them, by their ids here; those that are not on this machine are left out. */
export function asLinked(shown: readonly TakenAlong[]): ReadonlyMap<string, LinkedPanel> {
  const all = new Map<string, LinkedPanel>();
  for (const { panel, params, pinned } of shown) {
    const found = libraryPanels.peek().find(({ id }) => id === panel);
    if (found === undefined) continue;
    const taken = [...all.values()].map(({ name }) => name);
    const name = freeName(nameOf(panel), taken);
    const given = Object.keys(params).length > 0 ? { params } : {};
    all.set(panel, { name, sql: found.text, ...given, ...(pinned === false && { pinned }) });
  }
  return all;
}

/** Changes the params of a panel below the view. */
export function setPinParams(session: Session, { panel, ofLink }: ShownPin, params: Pin['params']): void {
  const change = (all: readonly Pin[]) =>
    all.map((each) => (each.panel === panel ? { panel, params } : each));
  if (ofLink) setLinked(change(linkedPins.peek()));
  else setPins(session, change(pins.peek()));
}

/** Takes a panel away from below the view. */
export function unpin(session: Session, { panel, ofLink }: ShownPin): void {
  const without = (all: readonly Pin[]) => all.filter((each) => each.panel !== panel);
  if (ofLink) setLinked(without(linkedPins.peek()));
  else setPins(session, without(pins.peek()));
}

/** Keeps a panel of a link among the user's own, and pinned. Rejects if its file cannot be written. */
export async function keepLinked(session: Session, pin: ShownPin): Promise<void> {
  const id = await keepText(session, pin.panel);
  unpin(session, pin);
  setPins(session, [...pins.peek().filter(({ panel }) => panel !== id), { panel: id, params: pin.params }]);
}
