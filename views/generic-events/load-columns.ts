import { halvesOf, oncePerTrace, realsOf, type Query } from '../../shared/engine/index.ts';
import columnsSql from './columns.sql';
import kindsSql from './kinds.sql';
import matchesSql from './matches.sql';

/** All events of the recording as columns, in the order of time, which is that of their keys: these count from 0. */
export interface EventColumns {
  readonly ts: Float64Array;
  /** An index of `kinds`. */
  readonly kind: Int32Array;
  /** The thread; 0 for none. */
  readonly utid: Int32Array;
  readonly kinds: readonly { readonly provider: string; readonly event: string }[];
}

interface Matches {
  readonly search: string;
  /** 1 for each event that the text is found in. */
  readonly isMatch: Uint8Array;
}

interface Kept {
  readonly columns: EventColumns;
  /** What was searched last. */
  last: Matches | null;
}

const keptOf = oncePerTrace(async (query): Promise<Kept> => ({
  columns: await askForColumns(query),
  last: null,
}));

/** The events; the engine is asked once a trace. */
export async function loadColumns(query: Query): Promise<EventColumns> {
  return (await keptOf(query)).columns;
}

/** Which events a text is found in, by key: in their fields or in the names of provider or event. */
export async function loadMatches(query: Query, search: string): Promise<Uint8Array> {
  const of = await keptOf(query);
  if (of.last?.search === search) return of.last.isMatch;
  const { ts, kinds } = of.columns;
  const named = kinds
    .map(({ provider, event }) => `${provider}/${event}`)
    .filter((name) => name.toLowerCase().includes(search.toLowerCase()));
  const asked = { pattern: likeOf(search), kinds: JSON.stringify(named) };
  const { upper: ids } = halvesOf(await query(matchesSql, asked), 'ids');
  const isMatch = new Uint8Array(ts.length);
  for (const id of ids) isMatch[id] = 1;
  of.last = { search, isMatch };
  return isMatch;
}

async function askForColumns(query: Query): Promise<EventColumns> {
  const [rows, named] = await Promise.all([query(columnsSql), query(kindsSql)]);
  const { lower: utid, upper: kind } = halvesOf(rows, 'place');
  const events = named.strings('event');
  const kinds = named
    .strings('provider')
    .map((provider, at) => ({ provider: provider ?? '', event: events[at] ?? '' }));
  return { ts: realsOf(rows, 'ts'), kind, utid, kinds };
}

/** The LIKE pattern, with `!` as escape, of JSON that contains a text: JSON writes quotes and backslashes with a backslash before them. */
function likeOf(text: string): string {
  return `%${JSON.stringify(text).slice(1, -1).replace(/[!%_]/g, '!$&')}%`;
}
