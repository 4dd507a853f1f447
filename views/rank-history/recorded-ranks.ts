import { oncePerTrace, type Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import runBeforeSql from './run-before.sql';

/** A recorded rank that differs from the one before, or a thread's first: where a span of `etw_thread_rank` begins. */
export interface RecordedRank {
  readonly utid: number;
  readonly ts: number;
  readonly rank: number;
  /** The rank before, and when it was recorded last; null for a thread's first. */
  readonly last_rank: number | null;
  readonly last_ts: number | null;
}

/** The recorded ranks of threads that ever left rank 0, in the order of time for each thread. */
export interface RecordedRanks {
  readonly changes: readonly RecordedRank[];
  /** When the last run ends. */
  readonly runs_end: number;
}

/** Reads the ranks of all runs; once. */
export const loadRecordedRanks = oncePerTrace(async (query: Query): Promise<RecordedRanks> => {
  const { outline, tables } = dataOf(query);
  const before = await outline(runBeforeSql);
  const [beforeTs, beforeUtid] = [before.numbers('ts'), before.numbers('utid')];
  const beforeRank = before.numbers('rank');
  const seen = new RanksSeen();
  let next = 0;
  const seeBefore = (until: number) => {
    for (; next < beforeTs.length && (beforeTs[next] ?? 0) < until; next++)
      seen.add(beforeUtid[next] ?? 0, beforeTs[next] ?? 0, beforeRank[next] ?? 0);
  };
  let runs_end = 0;
  for await (const { rowCount, columns } of tables.batches('etw_run', ['te', 'utid', 'rank'])) {
    const { te, utid, rank } = columns;
    for (let row = 0; row < rowCount; row++) {
      runs_end = te.values[row] ?? 0;
      if (next < beforeTs.length) seeBefore(runs_end);
      if (rank.present?.[row] !== 0) seen.add(utid.values[row] ?? 0, runs_end, rank.values[row] ?? 0);
    }
  }
  seeBefore(Infinity);
  return { changes: seen.changes, runs_end };
});

/** What was recorded of each thread so far. */
class RanksSeen {
  readonly changes: RecordedRank[] = [];
  readonly #threads: (
    { rank: number; readonly first_ts: number; last_ts: number; isKept: boolean } | undefined
  )[] = [];

  add(utid: number, ts: number, rank: number): void {
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
