import { bindSql } from '../shared/engine/index.ts';
import type { TimeRange } from '../shared/view/index.ts';

/** What a view shows of a range, as SQL to go on from. A view of the whole recording names no range. */
export function sqlOf({ sql }: { readonly sql: string }, { start, end }: TimeRange): string {
  const bounds = Object.entries({ range_start: start, range_end: end });
  return bindSql(sql, Object.fromEntries(bounds.filter(([name]) => sql.includes(`:${name}`))));
}
