import { computed, signal } from '@preact/signals';
import type { EngineError, GrowingResult } from '../../../shared/engine/index.ts';
import type { TraceOverview } from '../../host/overview.ts';

/** A run of a tab's SQL. */
export interface QueryRun {
  /** `tables`: the tables that it names are built first. `ended`: it was cancelled, or took too long. */
  readonly state: 'tables' | 'running' | 'done' | 'failed' | 'ended';
  /** The SQL as it was asked. */
  readonly sql: string;
  readonly startedAtMs: number;
  readonly tookMs: number;
  readonly result: GrowingResult;
  /** How many rows of the result have been reported. */
  readonly rowCount: number;
  /** What is known of the trace, where the SQL needs more of it than the engine holds. */
  readonly tooLarge?: TraceOverview;
  readonly error: { readonly message: string; readonly place: EngineError['place'] } | null;
}

/** One query, and what it gave. */
export interface QueryTab {
  readonly id: number;
  readonly sql: string;
  /** `link`: it came from outside, and was not confirmed yet. `own`: the user's own, or confirmed. */
  readonly origin: 'own' | 'link';
  readonly run: QueryRun | null;
}

const KEPT = 'query tabs';
let nextId = 1;

/** The tabs, from left to right; there is always one. */
export const tabs = signal<readonly QueryTab[]>(readKept());
export const activeId = signal(tabs.peek()[0]?.id ?? 0);
export const activeTab = computed(() => tabs.value.find(({ id }) => id === activeId.value) ?? tabs.value[0]);

/** Changes a tab; one that is closed already is left alone. */
export function changeTab(id: number, change: Partial<QueryTab>): void {
  tabs.value = tabs.peek().map((tab) => (tab.id === id ? { ...tab, ...change } : tab));
}

/** Opens SQL in a tab of its own, or in the one in use if that is empty, and shows it. */
export function openTab(sql: string, origin: QueryTab['origin'] = 'own'): void {
  const now = activeTab.peek();
  if (now?.sql.trim() === '') {
    changeTab(now.id, { sql, origin, run: null });
    return;
  }
  const tab = makeTab(sql, origin);
  tabs.value = [...tabs.peek(), tab];
  activeId.value = tab.id;
}

/** Closes a tab. Its neighbour is shown then. */
export function closeTab(id: number): void {
  const at = tabs.peek().findIndex((tab) => tab.id === id);
  const left = tabs.peek().filter((tab) => tab.id !== id);
  tabs.value = left.length === 0 ? [makeTab('', 'own')] : left;
  if (activeId.peek() === id) activeId.value = (tabs.peek()[at] ?? tabs.peek().at(-1))?.id ?? 0;
}

/** Keeps the texts of the user's own tabs on this machine. */
export function keepTabs(): () => void {
  return tabs.subscribe((all) => {
    const texts = all.filter(({ origin }) => origin === 'own').map(({ sql }) => sql);
    localStorage.setItem(KEPT, JSON.stringify(texts));
  });
}

/** What a tab is called: its first comment or line that says something. */
export function tabTitle({ sql }: Pick<QueryTab, 'sql'>): string {
  const line = sql.split('\n').find((each) => each.replace(/^[\s-]+/, '') !== '');
  const title = (line ?? 'New query').replace(/^[\s-]+(@\w+ )?/, '');
  return title.length > 32 ? `${title.slice(0, 31)}…` : title;
}

function makeTab(sql: string, origin: QueryTab['origin']): QueryTab {
  return { id: nextId++, sql, origin, run: null };
}

function readKept(): readonly QueryTab[] {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    const kept = Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
    if (kept.length > 0) return kept.map((sql) => makeTab(sql, 'own'));
  } catch {
    // What cannot be read is as good as nothing.
  }
  return [makeTab('', 'own')];
}
