import type { Query } from '../../shared/engine/index.ts';
import { allLongFrom, dataOf, type Stretch, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames, ownedThread } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  loadJudgedRanks,
  LongestWaits,
  WAIT_COLUMNS,
  waitAt,
  type JudgedRanks,
  type Wait,
} from '../../shared/why-late/columns/index.ts';
import { whyLateEstimates } from '../../shared/why-late/index.ts';
import type { LateWait } from './model.ts';

const COLUMNS = [...WAIT_COLUMNS, 'ended'] as const;

/** The longest ready waits that a range touches, at the ranks that they are taken to have waited at, with estimates of why. */
export async function longestWaits(
  query: Query,
  { start, end }: TimeRange,
  most: number,
): Promise<readonly LateWait[]> {
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
  const estimates = whyLateEstimates(query);
  const rows = found.map((wait) => ({ ...wait }));
  await estimates.load(query, rows);
  return rows.map((row): LateWait => {
    const { ts, te, rank, priority } = row;
    const { process, service, pid, thread, tid } = ownedThread(names.get(row.utid));
    return {
      ...{ ts, dur: te - ts, ended: row.ended === 1 },
      ...{ tid, thread, pid, process, service, rank, priority },
      why_late: estimates.of(row) ?? 'not_explained',
    };
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
