import { halvesOf, oncePerTrace, realsOf, type Query } from '../../shared/engine/index.ts';
import columnsSql from './columns.sql';
import kindsSql from './kinds.sql';
import matchesSql from './matches.sql';
import { containing, containingInJson } from './pattern.ts';

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
  const { ts } = of.columns;
  const patterns = { pattern: containingInJson(search), name_pattern: containing(search) };
  const { upper: ids } = halvesOf(await query(matchesSql, patterns), 'ids');
  const isMatch = new Uint8Array(ts.length);
  for (const id of ids) isMatch[id] = 1;
  of.last = { search, isMatch };
  return isMatch;
}

async function askForColumns(query: Query): Promise<EventColumns> {
  const [rows, tags] = await Promise.all([query(columnsSql), query(kindsSql)]);
  const { lower: utid, upper: kind } = halvesOf(rows, 'place');
  const kinds = tags.strings('tag').map((tag) => {
    const [provider = '', ...event] = (tag ?? '').split('/');
    return { provider, event: event.join('/') };
  });
  return { ts: realsOf(rows, 'ts'), kind, utid, kinds };
}
