import type { Query } from '../../shared/engine/index.ts';
import { dataOf, numberAt } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadJudgedRanks, type Wait } from '../../shared/why-late/columns/index.ts';

const COLUMNS = [
  ...(['ts', 'te', 'utid', 'ended', 'rank', 'priority'] as const),
  ...(['cpu', 'flags', 'last_ready_ts'] as const),
] as const;

/** The longest ready waits that a range touches: the rows of `waits.sql`, of columns, at the ranks that they are taken to have waited at. */
export async function longestOfColumns(query: Query, { start, end }: TimeRange, most: number) {
  const { outline, tables } = dataOf(query);
  const judged = await loadJudgedRanks(query);
  const names = await loadThreadNames(outline);
  let found: (Wait & { readonly ended: number })[] = [];
  let least_ns = 0;
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', COLUMNS, {
    start,
    end: end + 1,
  })) {
    for (let row = 0; row < rowCount; row++) {
      const [ts, te] = [columns.ts.values[row] ?? 0, columns.te.values[row] ?? 0];
      if (te - ts < least_ns || ts > end || te < start) continue;
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
  return found.map((wait) => {
    const { tid = null, thread = null, pid = null, process = null } = names.get(wait.utid) ?? {};
    return { ...wait, dur: wait.te - wait.ts, ...{ tid, thread, pid, process } };
  });
}

const byLength = (a: Wait, b: Wait) => b.te - b.ts - (a.te - a.ts) || a.ts - b.ts;
