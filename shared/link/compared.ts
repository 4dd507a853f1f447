import { COMPARE_PAGE, type Place } from './place.ts';

/** The ids of the traces that a place compares with its own; none where it compares nothing. It may come from a stranger. */
export function comparedIds({ view, params }: Pick<Place, 'view' | 'params'>): readonly string[] {
  if (view !== COMPARE_PAGE) return [];
  const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
  return [...new Set([params.other, ...idsIn(params.more)].filter(isId))];
}

/** The first of each list in a JSON list of lists. */
function idsIn(text: unknown): readonly unknown[] {
  try {
    const lists: unknown = JSON.parse(typeof text === 'string' ? text : '[]');
    if (!Array.isArray(lists)) return [];
    return lists.map((list: unknown): unknown => (Array.isArray(list) ? list[0] : null));
  } catch {
    return [];
  }
}
