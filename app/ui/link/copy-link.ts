import {
  dashboardPage,
  LINK_ADDRESS,
  LinkError,
  linkedTrace,
  makeLink,
  panelPage,
  placeOf,
  readLink,
  teamServerOf,
  type LinkedDashboard,
  type LinkedPanel,
  type LinkState,
} from '../../../shared/link/index.ts';
import type { Dashboard } from '../../../shared/panel/index.ts';
import { libraryDashboards } from '../panels/library.ts';
import { asLinked, shownPins } from '../panels/linked.ts';
import { dashboardAsLinked, withCards, type TakenAlong } from '../panels/linked-dashboard.ts';
import { panelsShown } from '../panels/places.ts';
import type { Session } from '../session.ts';
import { currentView, loaded, place, queryShown } from '../state.ts';
import { tell } from './notices.tsx';
import { addressOfFile, serverOf } from './servers.ts';
import { messageOf } from '../../../shared/model/index.ts';
import { copyText } from '../../../views/kit/index.ts';

/** What a link to the place that is shown says; null while no trace is open. */
export function stateHere(title = ''): LinkState | null {
  const trace = loaded.peek()?.opened;
  if (trace === undefined) return null;
  const here = placeOf(place.peek());
  const shown = dashboardHere();
  const panels = asLinked(panelsHere(shown));
  const from = addressOfFile(trace.id);
  const dashboard = shown === null ? undefined : dashboardAsLinked(shown, panels);
  return {
    title,
    trace: linkedTrace(trace, serverOf(trace.id)),
    ...(from !== undefined && { from }),
    // The first view is named: which one is the first may change.
    place: {
      ...here,
      view: pageHere({ panels, dashboard }) ?? here.view ?? currentView.peek()?.id ?? null,
      sql: queryShown.peek() ? here.sql : '',
    },
    panels: [...panels.values()],
    dashboard,
  };
}

/** What goes with a link, by the ids that it has here. */
interface Along {
  readonly panels: ReadonlyMap<string, LinkedPanel>;
  readonly dashboard: LinkedDashboard | undefined;
}

/** The page of what goes with the link, where one is shown, by its name in the link. */
function pageHere({ panels, dashboard }: Along): string | null {
  if (dashboard !== undefined) return dashboardPage(dashboard.name);
  const page = panelsShown.peek();
  const panel = page?.page === 'panel' ? panels.get(page.id) : undefined;
  return panel === undefined ? null : panelPage(panel.name);
}

/** The dashboard whose page is shown; null where another page is. */
function dashboardHere(): Dashboard | null {
  const page = panelsShown.peek();
  if (page?.page !== 'dashboard') return null;
  return libraryDashboards.peek().find(({ id }) => id === page.id)?.dashboard ?? null;
}

/** The panels that a link from here takes along: those below the view, and those of the page that is shown. */
function panelsHere(dashboard: Dashboard | null): readonly TakenAlong[] {
  const pinned = shownPins.peek();
  const page = panelsShown.peek();
  if (page?.page !== 'panel' || pinned.some(({ panel }) => panel === page.id))
    return withCards(pinned, dashboard);
  return [...pinned, { panel: page.id, params: {} }];
}

/** What of this place does not fit a link that was made here, in words. */
async function leftOut(link: string): Promise<readonly string[]> {
  const panels = panelsHere(dashboardHere());
  const taken = asLinked(panels);
  const lost = panels.filter(({ panel }) => !taken.has(panel));
  const { notes } = await readLink(link);
  return [...lost.map(({ panel }) => `there is no panel “${panel}” on this machine: left out`), ...notes];
}

/** The link to the place that is shown: of the page that says so, of the team server's, or of the desktop app. Rejects with `LinkError`. */
export function linkHere({ door }: Session, state: LinkState): Promise<string> {
  const { origin, pathname } = location;
  const ofServer = teamServerOf(origin + pathname) === null ? LINK_ADDRESS : origin + pathname;
  return makeLink(state, door.linkAddress ?? ofServer);
}

/** Copies the link to the place that is shown, and keeps it among the recent ones. */
export async function copyLink(session: Session, title = ''): Promise<void> {
  const state = stateHere(title);
  if (state === null) return;
  try {
    const link = await linkHere(session, state);
    await copyText(link);
    await session.keepLink(link, state);
    const copied = `Link copied: ${link.length} characters, no data of the trace`;
    tell(copied, await leftOut(link));
  } catch (error) {
    const byHand = error instanceof LinkError ? [] : ['Shift C shows the link, to be copied by hand'];
    tell('The link was not copied', [messageOf(error), ...byHand]);
  }
}
