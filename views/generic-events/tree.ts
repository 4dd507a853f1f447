import type { EventKind, EventsModel } from './model.ts';

/** A row of the tree: a provider, with how many kinds it has, or a kind of the provider that is open. */
export interface TreeRow {
  readonly provider: string;
  /** Null for a provider's own row. */
  readonly event: string | null;
  readonly kinds: number;
  readonly count: number;
}

/** The providers, and below the one that is chosen its kinds of events. Where there is one provider, it is open. */
export function treeRows({ kinds, provider }: Pick<EventsModel, 'kinds' | 'provider'>): readonly TreeRow[] {
  const providers = new Map<string, EventKind[]>();
  for (const kind of kinds) {
    const of = providers.get(kind.provider);
    if (of === undefined) providers.set(kind.provider, [kind]);
    else of.push(kind);
  }
  return [...providers].flatMap(([name, of]) => {
    const own = {
      provider: name,
      event: null,
      kinds: of.length,
      count: of.reduce((sum, { count }) => sum + count, 0),
    };
    const isOpen = name === provider || providers.size === 1;
    return isOpen
      ? [own, ...of.map(({ event, count }) => ({ provider: name, event, kinds: 1, count }))]
      : [own];
  });
}
