import type { Query } from '../../shared/engine/index.ts';
import { allLongFrom, dataOf, numberAt, type Stretch, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadJudgedRanks, type JudgedRanks, type Wait } from '../../shared/why-late/columns/index.ts';

const COLUMNS = [
  ...(['ts', 'te', 'utid', 'ended', 'rank', 'priority'] as const),
  ...(['cpu', 'flags', 'last_ready_ts'] as const),
] as const;

/** The longest ready waits that a range touches: the rows of `waits.sql`, of columns, at the ranks that they are taken to have waited at. */
export async function longestOfColumns(query: Query, { start, end }: TimeRange, most: number) {
  const { outline, tables } = dataOf(query);
  const judged = await loadJudgedRanks(query);
  const names = await loadThreadNames(outline);
  const looked = { start, end: end + 1 };
  // Most often the few that are the longest of the trace are enough.
  const all_ns = await allLongFrom(tables);
  const long = await longestIn(tables, 'etw_ready_wait_long', looked, { judged, from_ns: all_ns, most });
  const areEnough = all_ns === 0 || long.length >= most;
  const found = areEnough
    ? long
    : await longestIn(tables, 'etw_ready_wait', looked, { judged, from_ns: 0, most });
  return found.map((wait) => {
    const { tid = null, thread = null, pid = null, process = null } = names.get(wait.utid) ?? {};
    return { ...wait, dur: wait.te - wait.ts, ...{ tid, thread, pid, process } };
  });
}

/** Which waits of a table are looked for. */
interface LookedFor {
  readonly judged: JudgedRanks;
  /** So long at least. */
  readonly from_ns: number;
  readonly most: number;
}

type FoundWait = Wait & { readonly ended: number };

/** The longest waits of a table that a stretch touches, longest first. */
async function longestIn(
  tables: Tables,
  table: 'etw_ready_wait' | 'etw_ready_wait_long',
  looked: Stretch,
  { judged, from_ns, most }: LookedFor,
): Promise<readonly FoundWait[]> {
  let found: FoundWait[] = [];
  let least_ns = from_ns;
  for await (const { rowCount, columns } of tables.batches(table, COLUMNS, looked)) {
    for (let row = 0; row < rowCount; row++) {
      const [ts, te] = [columns.ts.values[row] ?? 0, columns.te.values[row] ?? 0];
      if (te - ts < least_ns || ts >= looked.end || te < looked.start) continue;
      const utid = columns.utid.values[row] ?? 0;
      found.push({
        ...{ ts, te, utid },
        ended: columns.ended.values[row] ?? 0,
        rank: judged.of(utid, ts)?.rank ?? numberAt(columns.rank, row),
        priority: numberAt(columns.priority, row),
        cpu: numberAt(columns.cpu, row),
        flags: numberAt(columns.flags, row),
        last_ready_ts: numberAt(columns.last_ready_ts, row),
      });
    }
    found = found.sort(byLength).slice(0, most);
    const shortest = found[most - 1];
    if (shortest !== undefined) least_ns = shortest.te - shortest.ts;
  }
  return found;
}

const byLength = (a: Wait, b: Wait) => b.te - b.ts - (a.te - a.ts) || a.ts - b.ts;
