import type { Query } from '../../shared/engine/index.ts';
import { allLongFrom, dataOf, type Stretch, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  loadJudgedRanks,
  LongestWaits,
  WAIT_COLUMNS,
  waitAt,
  type JudgedRanks,
  type Wait,
} from '../../shared/why-late/columns/index.ts';

const COLUMNS = [...WAIT_COLUMNS, 'ended'] as const;

/** The longest ready waits that a range touches, at the ranks that they are taken to have waited at. */
export async function longestWaits(query: Query, { start, end }: TimeRange, most: number) {
  const { tables } = dataOf(query);
  const judged = await loadJudgedRanks(query);
  const names = await loadThreadNames(tables);
  const looked = { start, end: end + 1 };
  // Most often the few that are the longest of the trace are enough.
  const all_ns = await allLongFrom(tables);
  const long = await longestIn(tables, 'etw_ready_wait_long', looked, { judged, from_ns: all_ns, most });
  const areEnough = all_ns === 0 || long.length >= most;
  const found = areEnough
    ? long
    : await longestIn(tables, 'etw_ready_wait', looked, { judged, from_ns: 0, most });
  return found.map((wait) => {
    const name = names.get(wait.utid);
    const { tid = null, thread = null, service = null, pid = null, process = null } = name ?? {};
    return { ...wait, dur: wait.te - wait.ts, ...{ tid, thread, service, pid, process } };
  });
}

/** Which waits of a table are looked for. */
interface LookedFor {
  readonly judged: JudgedRanks;
  /** So long at least. */
  readonly from_ns: number;
  readonly most: number;
}

/** The longest waits of a table that a stretch touches, longest first. */
async function longestIn(
  tables: Tables,
  table: 'etw_ready_wait' | 'etw_ready_wait_long',
  looked: Stretch,
  { judged, from_ns, most }: LookedFor,
): Promise<readonly (Wait & { readonly ended: number })[]> {
  const longest = new LongestWaits<Wait & { readonly ended: number }>(most, from_ns);
  for await (const batch of tables.batches(table, COLUMNS, looked)) {
    const { ts, te, utid, ended } = batch.columns;
    for (let row = 0; row < batch.rowCount; row++) {
      const begin = ts.values[row] ?? 0;
      const end = te.values[row] ?? 0;
      if (end - begin < longest.least_ns || begin >= looked.end || end < looked.start) continue;
      const wait = waitAt(batch, row);
      const rank = judged.of(utid.values[row] ?? 0, begin)?.rank ?? wait.rank;
      longest.add({ ...wait, ended: ended.values[row] ?? 0, rank });
    }
  }
  return longest.all();
}
