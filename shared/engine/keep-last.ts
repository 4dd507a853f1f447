import type { Query } from './engine.ts';

/** Gives what was asked for last of a loaded trace, which has a `query` or tables of its own, and asks anew for another key. */
export type KeepLast<T, Of extends object = Query> = (
  of: Of,
  key: string,
  ask: () => Promise<T>,
) => Promise<T>;

/**
 * Keeps what is asked for last of each loaded trace, by a key. Who comes while it is being asked for waits for the same
 * answer; if that fails, as where the first one gave up, it is asked for again. `isKept`: whether an answer is small enough to stay.
 */
export function keepLast<T, Of extends object = Query>(
  isKept: (value: T) => boolean = () => true,
): KeepLast<T, Of> {
  const kept = new WeakMap<Of, { readonly key: string; readonly value: Promise<T> }>();
  const keep: KeepLast<T, Of> = (of, key, ask) => {
    const before = kept.get(of);
    if (before?.key === key) return before.value.catch(() => keep(of, key, ask));
    const entry = { key, value: ask() };
    kept.set(of, entry);
    const drop = () => {
      if (kept.get(of) === entry) kept.delete(of);
    };
    entry.value.then((value) => isKept(value) || drop(), drop);
    return entry.value;
  };
  return keep;
}

/** Keeps what `ask` gives of each loaded trace: it is asked once. */
export function oncePerTrace<T, Of extends object = Query>(
  ask: (of: Of) => Promise<T>,
): (of: Of) => Promise<T> {
  const keep = keepLast<T, Of>();
  return (of) => keep(of, '', () => ask(of));
}
