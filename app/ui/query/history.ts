import { signal } from '@preact/signals';
import type { UserFiles } from '../../host/api.ts';

/** A query that was run. */
export interface PastQuery {
  readonly sql: string;
  /** When it was last run, in ms since 1970 UTC. */
  readonly ranAtMs: number;
}

const MOST = 200;
/** Longer texts are not kept from session to session, in UTF-16 units. */
const LONGEST = 20_000;

/** The queries that were run on this machine, newest first, each text once. */
export const pastQueries = signal<readonly PastQuery[]>([]);

let files: UserFiles | null = null;

/** Reads what was run before. It is kept with the host, since the page's address differs from start to start. */
export async function readHistory(given: UserFiles): Promise<void> {
  files = given;
  const kept = read(await given.kept('query-history'));
  const now = pastQueries.peek();
  const before = kept.filter(({ sql }) => !now.some((each) => each.sql === sql));
  pastQueries.value = [...now, ...before].slice(0, MOST);
}

/** Puts a query first. */
export function remember(sql: string): void {
  const others = pastQueries.peek().filter((each) => each.sql !== sql);
  pastQueries.value = [{ sql, ranAtMs: Date.now() }, ...others].slice(0, MOST);
  const short = pastQueries.peek().filter((each) => each.sql.length <= LONGEST);
  // A host that cannot keep it is no reason for a query to fail; the list of this session goes on.
  files?.keep('query-history', JSON.stringify(short.slice(0, 50))).catch(() => undefined);
}

/** Whether a text was run here before. */
export function wasRun(sql: string): boolean {
  return pastQueries.peek().some((each) => each.sql === sql);
}

function read(text: string | null): readonly PastQuery[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
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
