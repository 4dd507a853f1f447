import { computed } from '@preact/signals';
import {
  DASHBOARD_PAGE,
  dashboardPage,
  PANEL_PAGE,
  panelPage,
  PANELS_PAGE,
} from '../../../shared/link/index.ts';
import { goTo, place } from '../state.ts';

/** What of panels is shown in the place of a view; null where a view or the query page is. */
export const panelsShown = computed(() => {
  const { view } = place.value;
  if (view === null) return null;
  if (view === PANELS_PAGE) return { page: 'list' } as const;
  if (view.startsWith(PANEL_PAGE)) return { page: 'panel', id: view.slice(PANEL_PAGE.length) } as const;
  if (view.startsWith(DASHBOARD_PAGE))
    return { page: 'dashboard', id: view.slice(DASHBOARD_PAGE.length) } as const;
  return null;
});

/** Opens the list of panels. */
export function openPanels(): void {
  goTo({ view: PANELS_PAGE, params: {} });
}

/** Opens a panel. */
export function openPanel(id: string, params: Readonly<Record<string, unknown>> = {}): void {
  goTo({ view: panelPage(id), params });
}

/** Opens a dashboard. */
export function openDashboard(id: string): void {
  goTo({ view: dashboardPage(id), params: {} });
}
