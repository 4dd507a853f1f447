import { computed } from '@preact/signals';
import { goTo, place } from '../state.ts';

/** The id of the list of panels, which stands in the place of a view. */
export const PANELS_PAGE = 'panels';
const PANEL = 'panel-';
const DASHBOARD = 'dashboard-';

/** What of panels is shown in the place of a view; null where a view or the query page is. */
export const panelsShown = computed(() => {
  const { view } = place.value;
  if (view === null) return null;
  if (view === PANELS_PAGE) return { page: 'list' } as const;
  if (view.startsWith(PANEL)) return { page: 'panel', id: view.slice(PANEL.length) } as const;
  if (view.startsWith(DASHBOARD)) return { page: 'dashboard', id: view.slice(DASHBOARD.length) } as const;
  return null;
});

/** Opens the list of panels. */
export function openPanels(): void {
  goTo({ view: PANELS_PAGE, params: {} });
}

/** Opens a panel. */
export function openPanel(id: string, params: Readonly<Record<string, unknown>> = {}): void {
  goTo({ view: `${PANEL}${id}`, params });
}

/** Opens a dashboard. */
export function openDashboard(id: string): void {
  goTo({ view: `${DASHBOARD}${id}`, params: {} });
}
