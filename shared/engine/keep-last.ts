import type { Query } from './engine.ts';

/** Gives what was asked for last of a loaded trace, which has a `query` of its own, and asks anew for another key. */
export type KeepLast<T> = (query: Query, key: string, ask: () => Promise<T>) => Promise<T>;

/**
 * Keeps what is asked for last of each loaded trace, by a key. Who comes while it is being asked for waits for the same
 * answer; if that fails, as where the first one gave up, it is asked for again.
 */
export function keepLast<T>(): KeepLast<T> {
  const kept = new WeakMap<Query, { readonly key: string; readonly value: Promise<T> }>();
  const keep: KeepLast<T> = (query, key, ask) => {
    const before = kept.get(query);
    if (before?.key === key) return before.value.catch(() => keep(query, key, ask));
    const entry = { key, value: ask() };
    kept.set(query, entry);
    entry.value.catch(() => {
      if (kept.get(query) === entry) kept.delete(query);
    });
    return entry.value;
  };
  return keep;
}

/** Keeps what `ask` gives of each loaded trace: it is asked once. */
export function oncePerTrace<T>(ask: (query: Query) => Promise<T>): (query: Query) => Promise<T> {
  const keep = keepLast<T>();
  return (query) => keep(query, '', () => ask(query));
}
