import type { Query } from '../engine/index.ts';
import { dataOf, numberAt, type Stretch } from '../tables/index.ts';
import type { Delay } from './delay.ts';

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
export async function longestWaits(query: Query, most: number, range?: Stretch): Promise<Delay[]> {
  let found: Delay[] = [];
  let least_ns = 0;
  const columns = ['ts', 'te', 'utid', 'ended'] as const;
  for await (const { rowCount, columns: of } of dataOf(query).tables.batches(
    'etw_ready_wait',
    columns,
    range,
  )) {
    for (let row = 0; row < rowCount; row++) {
      const [ts, te] = [of.ts.values[row] ?? 0, of.te.values[row] ?? 0];
      if (te - ts < least_ns || te <= ts || of.ended.values[row] !== 1) continue;
      if (range !== undefined && (ts >= range.end || te <= range.start)) continue;
      found.push({ ts, te, utid: of.utid.values[row] ?? 0 });
    }
    if (found.length < 2 * most) continue;
    found = found.sort(byLength).slice(0, most);
    const last = found.at(-1);
    least_ns = last === undefined ? 0 : last.te - last.ts;
  }
  return found.sort(byLength).slice(0, most);
}

const byLength = (a: Delay, b: Delay) => b.te - b.ts - (a.te - a.ts) || a.ts - b.ts || a.utid - b.utid;
