import { computed, signal } from '@preact/signals';
import { readState, type LinkedPanel } from '../../../shared/link/index.ts';
import type { TraceId } from '../../host/api.ts';
import type { Session } from '../session.ts';
import { freeName, libraryPanels, nameOf, saveFile, takeLinked } from './library.ts';
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

/** Shows the panels of a link below the view, in the place of those of a link before. Returns their ids, in order. */
export function showLinked(
  session: Session,
  trace: TraceId,
  panels: readonly LinkedPanel[],
): readonly string[] {
  const ids = takeLinked(session, panels);
  linkedOf = trace;
  setLinked(panels.map(({ params = {} }, at) => ({ panel: ids[at] ?? '', params })));
  return ids;
}

/** Shows again what a link had brought for this trace before the page was loaded again. */
export function restoreLinked(session: Session, trace: TraceId): void {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
    if (typeof kept !== 'object' || kept === null || Reflect.get(kept, 'trace') !== trace) return;
    showLinked(session, trace, readState({ panels: Reflect.get(kept, 'panels') as unknown }).state.panels);
  } catch {
    // What cannot be read is as good as nothing.
  }
}

/** Changes the panels of the link, and keeps them for as long as the tab or the window. */
function setLinked(next: readonly Pin[]): void {
  linkedPins.value = next;
  const panels = [...asLinked(next).values()];
  sessionStorage.setItem(KEPT, JSON.stringify({ trace: linkedOf, panels }));
}

/** Panels as a link says them, by their ids here; those that are not on this machine are left out. */
export function asLinked(shown: readonly Pin[]): ReadonlyMap<string, LinkedPanel> {
  const all = new Map<string, LinkedPanel>();
  for (const { panel, params } of shown) {
    const found = libraryPanels.peek().find(({ id }) => id === panel);
    if (found === undefined) continue;
    const taken = [...all.values()].map(({ name }) => name);
    const name = freeName(nameOf(panel), taken);
    all.set(panel, { name, sql: found.text, ...(Object.keys(params).length > 0 && { params }) });
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
  const all = libraryPanels.peek();
  const text = all.find(({ id }) => id === pin.panel)?.text;
  if (text === undefined) return;
  const here = all.filter(({ from }) => from !== 'link');
  const twin = here.find((each) => each.text === text)?.id;
  const id =
    twin ??
    freeName(
      nameOf(pin.panel),
      here.map((each) => each.id),
    );
  if (twin === undefined) await saveFile(session, `${id}.panel.sql`, text);
  unpin(session, pin);
  setPins(session, [...pins.peek().filter(({ panel }) => panel !== id), { panel: id, params: pin.params }]);
}
