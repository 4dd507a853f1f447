import { dataOf, KeySet, type Batch } from '../../shared/tables/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { ThreadTimes } from './thread-times.ts';

/** From when to when a thread kept a rank. */
export interface Kept {
  readonly utid: number;
  readonly ts: number;
  readonly te: number;
}

const COLUMNS = ['ts', 'te', 'utid'] as const;

/** How much of some stretches, in the order of time, their threads spent in rows of a table: ready, or running. In ns. */
export async function timesWithin(
  query: Query,
  table: 'etw_run' | 'etw_ready_wait',
  stretches: readonly Kept[],
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
