import { computed, effect, untracked } from '@preact/signals';
import { QUERY_PAGE } from '../../../shared/link/index.ts';
import { goTo, place, queryShown } from '../state.ts';
import { wasRun } from './history.ts';
import { activeId, activeTab, openTab, tabs } from './tabs.ts';

/** Opens the query page, on some SQL of the app's own if any is given. */
export function openQuery(sql?: string): void {
  if (sql !== undefined) openTab(sql);
  goTo({ view: QUERY_PAGE, params: {}, sql: activeTab.peek()?.sql ?? '' });
}

/** Notes the SQL of the tab in use in the place, as a step of the history. */
export function notePlace(): void {
  if (queryShown.peek()) goTo({ sql: activeTab.peek()?.sql ?? '' });
}

/**
 * Shows what the place says, when it was not the page that changed it (a link, back and forward): the tab that has that SQL,
 * or a new one. SQL that was never run here counts as a stranger's.
 */
export function followPlace(): () => void {
  const given = computed(() => place.value.sql);
  return effect(() => {
    const sql = given.value;
    if (!queryShown.value || sql === '') return;
    untracked(() => {
      if (activeTab.peek()?.sql === sql) return;
      const open = tabs.peek().find((tab) => tab.sql === sql);
      if (open !== undefined) activeId.value = open.id;
      else if (activeTab.peek()?.run?.sql !== sql) openTab(sql, wasRun(sql) ? 'own' : 'link');
    });
  });
}
