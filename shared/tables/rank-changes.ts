import { numberAt, type Tables } from './tables.ts';

/** A rank that was recorded of a thread. */
interface RankAt {
  readonly utid: number;
  readonly ts: number;
  readonly rank: number;
}

/** A recorded rank that differs from the one before, or a thread's first: where a span of `etw_thread_rank` begins. */
export interface RankChange extends RankAt {
  /** The rank before, and when it was recorded last; null for a thread's first. */
  readonly last_rank: number | null;
  readonly last_ts: number | null;
}

/** The recorded ranks of threads that ever left rank 0, in the order of time for each thread. */
export interface RankChanges {
  readonly changes: readonly RankChange[];
  /** When the last run ends. */
  readonly runs_end: number;
}

/** Reads the ranks of all runs. */
export async function rankChanges(tables: Tables): Promise<RankChanges> {
  const before = await ranksBefore(tables);
  let runs_end = 0;
  const seen = new RanksSeen();
  let next = 0;
  const seeBefore = (until: number) => {
    for (let at = before[next]; at !== undefined && at.ts < until; at = before[++next]) seen.add(at);
  };
  for await (const { rowCount, columns } of tables.batches('etw_run', ['te', 'utid', 'rank'])) {
    const { te, utid, rank } = columns;
    for (let row = 0; row < rowCount; row++) {
      runs_end = te.values[row] ?? 0;
      if (next < before.length) seeBefore(runs_end);
      if (rank.present?.[row] === 0) continue;
      seen.add({ utid: utid.values[row] ?? 0, ts: runs_end, rank: rank.values[row] ?? 0 });
    }
  }
  seeBefore(Infinity);
  return { changes: seen.changes, runs_end };
}

/** The ranks of runs that began before their CPU's first switch, in the order of time. */
async function ranksBefore(tables: Tables): Promise<readonly RankAt[]> {
  const before: RankAt[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_run_before', ['ts', 'utid', 'rank']))
    for (let row = 0; row < rowCount; row++) {
      const [utid, rank] = [numberAt(columns.utid, row), numberAt(columns.rank, row)];
      if (utid !== null && rank !== null) before.push({ utid, ts: columns.ts.values[row] ?? 0, rank });
    }
  return before;
}

/** What was recorded of each thread so far. */
class RanksSeen {
  readonly changes: RankChange[] = [];
  readonly #threads: (
    { rank: number; readonly first_ts: number; last_ts: number; isKept: boolean } | undefined
  )[] = [];

  add({ utid, ts, rank }: RankAt): void {
    const thread = this.#threads[utid];
    if (thread === undefined) {
      this.#threads[utid] = { rank, first_ts: ts, last_ts: ts, isKept: rank > 0 };
      if (rank > 0) this.changes.push({ utid, ts, rank, last_rank: null, last_ts: null });
      return;
    }
    if (thread.rank !== rank) {
      // Until here it was at rank 0, and perhaps for ever.
      if (!thread.isKept)
        this.changes.push({ utid, ts: thread.first_ts, rank: thread.rank, last_rank: null, last_ts: null });
      thread.isKept = true;
      this.changes.push({ utid, ts, rank, last_rank: thread.rank, last_ts: thread.last_ts });
      thread.rank = rank;
    }
    thread.last_ts = ts;
  }
}
