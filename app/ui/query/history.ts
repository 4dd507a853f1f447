import { signal } from '@preact/signals';

/** A query that was run. */
export interface PastQuery {
  readonly sql: string;
  /** When it was last run, in ms since 1970 UTC. */
  readonly ranAtMs: number;
}

const KEPT = 'query history';
const MOST = 200;

/** The queries that were run on this machine, newest first, each text once. */
export const pastQueries = signal<readonly PastQuery[]>(read());

/** Puts a query first. */
export function remember(sql: string): void {
  const others = pastQueries.peek().filter((each) => each.sql !== sql);
  pastQueries.value = [{ sql, ranAtMs: Date.now() }, ...others].slice(0, MOST);
  try {
    localStorage.setItem(KEPT, JSON.stringify(pastQueries.peek()));
  } catch {
    // A full store keeps what it has; the list of this session goes on.
  }
}

/** Whether a text was run here before. */
export function wasRun(sql: string): boolean {
  return pastQueries.peek().some((each) => each.sql === sql);
}

function read(): readonly PastQuery[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPastQuery) : [];
  } catch {
    return [];
  }
}

function isPastQuery(value: unknown): value is PastQuery {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sql' in value &&
    typeof value.sql === 'string' &&
    'ranAtMs' in value &&
    typeof value.ranAtMs === 'number'
  );
}
