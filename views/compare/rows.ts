import type { Change, Comparison } from '../../shared/compare/index.ts';

/** What a row is called in a link: by its process, what it measures, and the process of the waker. */
export function rowName({ processes }: Comparison, change: Change): string {
  return `${processes[change.process]?.name ?? ''}: ${change.what}`;
}

/** The row of this name; the first where there is none, null where nothing changed. */
export function rowOf(comparison: Comparison, name: string | null): Change | null {
  const { changes, blame } = comparison;
  const named = [...changes, ...blame].find((change) => rowName(comparison, change) === name);
  return named ?? changes[0] ?? null;
}
