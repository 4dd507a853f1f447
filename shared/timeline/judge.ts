import { oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, type Tables } from '../tables/index.ts';
import { estimateWhys } from '../why-late/columns/index.ts';
import { WHYS } from '../why-late/index.ts';
import { loadLanes } from './load-lanes.ts';
import { stateOf, valueOf } from './thread-state.ts';

/** A ready wait whose cause was judged: whose it is, when it begins, and the value of its lane for that cause. */
export interface JudgedWait {
  readonly utid: number;
  readonly ts: number;
  readonly value: number;
}

/** The causes of the longest ready waits, each estimated from a few instants of it. */
export const loadJudgedWaits = oncePerTrace(async (query: Query): Promise<readonly JudgedWait[]> => {
  const { tables: kept } = dataOf(query);
  // All runs are looked at: kept, they would take more memory than the lanes.
  const tables: Tables = {
    rowCount: (table) => kept.rowCount(table),
    batches: (table, columns, range) => kept.batches(table, columns, range, 'once'),
  };
  const { longest, threads } = await loadLanes(query);
  const whys = await estimateWhys(tables, longest);
  return longest.flatMap(({ utid, ts }, index): JudgedWait[] => {
    const why = whys[index];
    const lane = threads.get(utid)?.lane;
    // What begins while events are missing is not told.
    if (why === undefined || lane === undefined || stateOf(lane.at(ts).value) !== 'ready') return [];
    // The detail 0 is that of a wait that was not judged.
    return [{ utid, ts, value: valueOf('ready', WHYS.indexOf(why) + 1) }];
  });
});
