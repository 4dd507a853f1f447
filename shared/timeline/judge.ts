import { oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, type Tables } from '../tables/index.ts';
import { estimateWhys } from '../why-late/columns/index.ts';
import { WHYS } from '../why-late/index.ts';
import type { Lanes } from './lanes.ts';
import { loadLanes } from './load-lanes.ts';
import { stateOf, valueOf } from './thread-state.ts';

/** The `detail` of a ready thread whose wait was not judged; 1 more than its place in `WHYS` is that of a cause. */
export const NOT_JUDGED = 0;

/** The lanes with the causes of the longest ready waits, each estimated from a few instants of it. */
export const loadJudgedLanes = oncePerTrace(async (query: Query): Promise<Lanes> => {
  const { tables: kept } = dataOf(query);
  // All runs are looked at: kept, they would take more memory than the lanes.
  const tables: Tables = {
    rowCount: (table) => kept.rowCount(table),
    batches: (table, columns, range) => kept.batches(table, columns, range, 'once'),
  };
  const lanes = await loadLanes(query);
  const whys = await estimateWhys(tables, lanes.longest);
  lanes.longest.forEach(({ utid, ts }, index) => {
    const why = whys[index];
    if (why === undefined) return;
    const lane = lanes.threads.get(utid)?.lane;
    // What begins while events are missing is not told.
    if (lane !== undefined && stateOf(lane.at(ts).value) === 'ready')
      lane.replace(ts, valueOf('ready', WHYS.indexOf(why) + 1));
  });
  return lanes;
});
