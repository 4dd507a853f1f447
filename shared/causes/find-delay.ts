import type { Query } from '../engine/index.ts';
import { allLongFrom, dataOf, numberAt, type Batch, type Stretch } from '../tables/index.ts';
import type { Delay } from './delay.ts';
import { Longest } from './longest.ts';

/** The thread that had an id in a stretch of time, as a key; null where no thread had it then. */
export async function threadWithId(
  query: Query,
  tid: number,
  { start, end }: Stretch,
): Promise<number | null> {
  const columns = ['utid', 'tid', 'create_ts', 'exit_ts'] as const;
  for await (const { rowCount, columns: of } of dataOf(query).tables.batches('etw_thread', columns)) {
    for (let row = 0; row < rowCount; row++) {
      if (numberAt(of.tid, row) !== tid) continue;
      const isAlive =
        (numberAt(of.create_ts, row) ?? -Infinity) < end && (numberAt(of.exit_ts, row) ?? Infinity) >= start;
      if (isAlive) return numberAt(of.utid, row);
    }
  }
  return null;
}

/** The longest ready waits that ended, of all the trace or of those that touch a range: longest first, then by time and thread. */
export async function longestWaits(query: Query, most: number, range?: Stretch): Promise<readonly Delay[]> {
  const { tables, hasColumns } = dataOf(query);
  const longestIn = async (table: 'etw_ready_wait' | 'etw_ready_wait_long', above_ns: number) => {
    const longest = new Longest(most);
    for await (const batch of tables.batches(table, COLUMNS, range)) lookAt(batch, longest, above_ns, range);
    return longest.all();
  };
  // Most often the few that are the longest of the trace are enough.
  const long = hasColumns ? await longestIn('etw_ready_wait_long', await allLongFrom(tables)) : [];
  return long.length === most ? long : longestIn('etw_ready_wait', 0);
}

const COLUMNS = ['ts', 'te', 'utid', 'ended'] as const;
const ALL_TIME: Stretch = { start: -Infinity, end: Infinity };

function lookAt(
  { rowCount, columns: { ts, te, utid, ended } }: Batch<(typeof COLUMNS)[number]>,
  longest: Longest,
  above_ns: number,
  { start, end }: Stretch = ALL_TIME,
): void {
  for (let row = 0; row < rowCount; row++) {
    const begin = ts.values[row] ?? 0;
    const stop = te.values[row] ?? 0;
    if (stop - begin <= above_ns || ended.values[row] !== 1 || begin >= end || stop <= start) continue;
    longest.look(utid.values[row] ?? 0, begin, stop);
  }
}
