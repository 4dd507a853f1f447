import { dataOf, numberAt, tableOfLong, type Batch } from '../../tables/index.ts';
import { loadJudgedRanks } from '../../why-late/columns/index.ts';
import type { Recording } from './index.ts';

/** A wait of a ready thread. */
interface LongWait {
  readonly ts: number;
  readonly dur: number;
  readonly utid: number;
  /** As it was judged, or else recorded; 0 where neither is known. */
  readonly rank: number;
}

const COLUMNS = ['ts', 'dur', 'utid', 'rank'] as const;

/** Visits the waits that are so long, each with its row, which has the columns `more` too. */
export async function visitLongWaits<C extends string>(
  { query }: Recording,
  at_least_ns: number,
  more: readonly C[],
  visit: (wait: LongWait, columns: Batch<C>['columns'], row: number) => void,
): Promise<void> {
  const judged = await loadJudgedRanks(query);
  const data = dataOf(query);
  const table = await tableOfLong(data, at_least_ns);
  for await (const { rowCount, columns } of data.tables.batches(table, [...COLUMNS, ...more])) {
    for (let row = 0; row < rowCount; row++) {
      const dur = columns.dur.values[row] ?? 0;
      if (dur < at_least_ns) continue;
      const ts = columns.ts.values[row] ?? 0;
      const utid = columns.utid.values[row] ?? 0;
      const rank = judged.of(utid, ts)?.rank ?? numberAt(columns.rank, row) ?? 0;
      visit({ ts, dur, utid, rank }, columns, row);
    }
  }
}
