import { keepLast, type Query, type QueryResult } from '../../shared/engine/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import binsInRangeSql from './bins-in-range.sql';
import binsSql from './bins.sql';
import countSql from './count.sql';
import type { CountedWaits, WaitBins } from './wait-bins.ts';

/** About how many waits below 1 ms are looked at in a range that is not the whole trace. */
const SAMPLE_WAITS = 250_000;

/** What was asked for last, by trace: a changed filter needs no more of the engine than the longest waits. */
const keep = keepLast<CountedWaits>();

/** Counts the waits in the range: of the whole trace all, in tables that are built beforehand. */
export function countWaitsBySql(
  query: Query,
  bounds: { readonly range_start: number; readonly range_end: number },
  isWhole: boolean,
): Promise<CountedWaits> {
  const key = isWhole ? 'whole' : `${bounds.range_start} ${bounds.range_end}`;
  return keep(query, key, async () => {
    const names = await loadThreadNames(query);
    return isWhole
      ? { bins: unpack(await query(binsSql)), names, one_in: 1 }
      : { ...(await countInRange(query, bounds)), names };
  });
}

async function countInRange(
  query: Query,
  bounds: { readonly range_start: number; readonly range_end: number },
): Promise<{ readonly bins: WaitBins; readonly one_in: number }> {
  const [row] = (await query(countSql, bounds)).rows();
  const one_in = Math.max(1, Math.ceil(Number(row?.waits) / SAMPLE_WAITS));
  return { bins: unpack(await query(binsInRangeSql, { ...bounds, every: one_in })), one_in };
}

/** Takes the keys apart that `_etw_ready_wait_key` packs. Beyond 32 bits, so that shifts will not do for the thread. */
function unpack(rows: QueryResult): WaitBins {
  const key = rows.numbers('key');
  const bins: WaitBins = {
    utid: new Float64Array(key.length),
    rank: new Float64Array(key.length),
    priority: new Float64Array(key.length),
    preempted: new Uint8Array(key.length),
    bin: new Uint16Array(key.length),
    count: rows.numbers('waits'),
    sum_ns: rows.numbers('sum_ns'),
    max_ns: rows.numbers('max_ns'),
  };
  // One loop: a function called for each of hundreds of thousands of rows, by column, takes several times as long.
  for (let row = 0; row < key.length; row++) {
    const packed = key[row] ?? 0;
    const utid = Math.floor(packed / 2 ** 26);
    const rest = packed - utid * 2 ** 26;
    const rank = rest >> 18;
    const priority = (rest >> 12) & 63;
    bins.utid[row] = utid;
    bins.rank[row] = rank === 255 ? NaN : rank;
    bins.priority[row] = priority === 63 ? NaN : priority;
    bins.preempted[row] = (rest >> 11) & 1;
    bins.bin[row] = rest & 2047;
  }
  return bins;
}
