import {
  LINK_ADDRESS,
  linkedTrace,
  makeLink,
  placeOf,
  teamServerOf,
  type LinkState,
} from '../../../shared/link/index.ts';
import type { Session } from '../session.ts';
import { currentView, loaded, place, queryShown } from '../state.ts';
import { tell } from './notices.tsx';

/** What a link to the place that is shown says; null while no trace is open. */
export function stateHere(title = ''): LinkState | null {
  const trace = loaded.peek()?.opened;
  if (trace === undefined) return null;
  const here = placeOf(place.peek());
  return {
    title,
    trace: linkedTrace(trace),
    // The first view is named: which one is the first may change.
    place: {
      ...here,
      view: here.view ?? currentView.peek()?.id ?? null,
      sql: queryShown.peek() ? here.sql : '',
    },
    panels: [],
  };
}

/** The link to the place that is shown: of the team server's page, or of the desktop app. Rejects with `LinkError`. */
export function linkHere(state: LinkState): Promise<string> {
  const { origin, pathname } = location;
  return makeLink(state, teamServerOf(origin + pathname) === null ? LINK_ADDRESS : origin + pathname);
}

/** Copies the link to the place that is shown, and keeps it among the recent ones. */
export async function copyLink(session: Session, title = ''): Promise<void> {
  const state = stateHere(title);
  if (state === null) return;
  try {
    const link = await linkHere(state);
    await navigator.clipboard.writeText(link);
    await session.keepLink(link, state);
    tell(`Link copied: ${link.length} characters, no data of the trace`);
  } catch (error) {
    tell('The link was not copied', [error instanceof Error ? error.message : String(error)]);
  }
}
