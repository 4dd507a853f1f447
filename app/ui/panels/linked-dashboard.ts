import type { LinkedDashboard, LinkedPanel } from '../../../shared/link/index.ts';
import { DASHBOARD_ENDING, writeDashboard, type Dashboard } from '../../../shared/panel/index.ts';
import type { Session } from '../session.ts';
import { keepText } from './keep-text.ts';
import { freeName, libraryDashboards, nameOf, saveFile } from './library.ts';
import type { Pin } from './pinned.ts';

/** A panel that a link takes along: pinned, or there for the dashboard alone. */
export interface TakenAlong extends Pin {
  readonly pinned?: false;
}

/** The panels that are pinned, and those that the dashboard shows besides, each once. */
export function withCards(pins: readonly Pin[], dashboard: Dashboard | null): readonly TakenAlong[] {
  const shown = new Set(dashboard?.panels.map(({ panel }) => panel));
  for (const { panel } of pins) shown.delete(panel);
  return [...pins, ...[...shown].map((panel) => ({ panel, params: {}, pinned: false }) as const)];
}

/** A dashboard as a link says it. `taken`: the link's panels by their ids here; what is not among them is left out. */
export function dashboardAsLinked(
  { id, title, columns, panels }: Dashboard,
  taken: ReadonlyMap<string, LinkedPanel>,
): LinkedDashboard {
  return {
    name: nameOf(id),
    title,
    columns,
    panels: panels.flatMap(({ panel, params, width }) => {
      const name = taken.get(panel)?.name;
      const given = Object.keys(params).length > 0 ? { params } : {};
      return name === undefined ? [] : [{ panel: name, ...given, width }];
    }),
  };
}

/**
 * Keeps a dashboard of a link, with its panels, among the user's own. Resolves to its id there; rejects if a file cannot be
 * written.
 */
export async function keepDashboard(session: Session, dashboard: Dashboard): Promise<string> {
  const panels = [];
  for (const card of dashboard.panels) panels.push({ ...card, panel: await keepText(session, card.panel) });
  const text = writeDashboard({ ...dashboard, panels });
  const own = libraryDashboards.peek().filter(({ from }) => from !== 'link');
  const twin = own.find((each) => each.dashboard !== null && writeDashboard(each.dashboard) === text);
  if (twin !== undefined) return twin.id;
  const taken = own.map(({ id }) => id);
  const id = freeName(nameOf(dashboard.id), taken);
  await saveFile(session, `${id}${DASHBOARD_ENDING}`, text);
  return id;
}
