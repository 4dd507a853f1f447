import type { Query } from '../../shared/engine/index.ts';
import { dataOf, KeySet, type Batch } from '../../shared/tables/index.ts';
import { ThreadTimes } from './thread-times.ts';

/** A change of a thread's rank, and until when it kept the new one. */
export interface Change {
  readonly utid: number;
  readonly ts: number;
  readonly te: number;
}

/** What a thread did around a change of its rank, in ns. */
interface ChangeTimes {
  /** CPU time in the second before. */
  readonly ran_before_ns: number;
  /** Ready time while it kept the rank. */
  readonly ready_ns: number;
}

const SECOND_NS = 1e9;

/** Reads what threads did around changes of their ranks, which stand in the order of time. */
export async function loadChangeTimes(
  query: Query,
  changes: readonly Change[],
): Promise<readonly ChangeTimes[]> {
  const before = changes.map(({ utid, ts }) => ({ utid, ts: ts - SECOND_NS, te: ts }));
  const ran = await timesWithin(query, 'etw_run', before);
  const ready = await timesWithin(query, 'etw_ready_wait', changes);
  return changes.map((_, index) => ({ ran_before_ns: ran[index] ?? 0, ready_ns: ready[index] ?? 0 }));
}

/** How much of some stretches their threads spent in rows of a table. */
async function timesWithin(
  query: Query,
  table: 'etw_run' | 'etw_ready_wait',
  stretches: readonly Change[],
): Promise<readonly number[]> {
  const byThread = new Map<number, ThreadTimes>();
  for (const { utid } of stretches) byThread.set(utid, new ThreadTimes());
  const lookedAt = new KeySet(byThread.keys());
  const lookAt = ({ rowCount, columns: { ts, te, utid } }: Batch<(typeof COLUMNS)[number]>) => {
    for (let row = 0; row < rowCount; row++) {
      const thread = utid.values[row] ?? 0;
      if (lookedAt.has(thread)) byThread.get(thread)?.add(ts.values[row] ?? 0, te.values[row] ?? 0);
    }
  };
  const start = stretches[0]?.ts ?? 0;
  const end = stretches.reduce((last, { te }) => Math.max(last, te), start);
  for await (const batch of dataOf(query).tables.batches(table, COLUMNS, { start, end })) lookAt(batch);
  return stretches.map(({ utid, ts, te }) => byThread.get(utid)?.within(ts, te) ?? 0);
}

const COLUMNS = ['ts', 'te', 'utid'] as const;
