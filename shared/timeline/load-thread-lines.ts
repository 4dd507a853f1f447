import type { Query } from '../engine/index.ts';
import { dataOf, numberAt } from '../tables/index.ts';
import { Lane, NOTHING } from './lane.ts';
import type { CpuShade } from './load-cpu-lanes.ts';
import { loadLanes } from './load-lanes.ts';

/** The rank or the priority of threads over time. */
export interface ThreadLines {
  /** By utid: one more than what was recorded last; nothing before it was recorded first. */
  readonly lanes: ReadonlyMap<number, Lane>;
  /** The highest that any thread had. */
  readonly most: number;
}

/** The columns of a run that have it: at its start, where that is recorded, and at its end. */
const COLUMNS = {
  rank: [null, 'rank'],
  priority: ['priority', 'switch_out_priority'],
} as const;

/** What was recorded of each thread's rank or priority, at the ends of its runs and of priorities also at their starts. */
export async function loadThreadLines(query: Query, of: CpuShade): Promise<ThreadLines> {
  const { threads } = await loadLanes(query);
  const lanes = new Map<number, Lane>();
  let most = 0;
  const add = (utid: number, at: number, number: number | null) => {
    if (number === null) return;
    let lane = lanes.get(utid);
    if (lane === undefined) lanes.set(utid, (lane = new Lane()));
    lane.append(at, number + 1);
    most = Math.max(most, number);
  };
  const [atStart, atEnd] = COLUMNS[of];
  const names = ['ts', 'te', 'utid', 'ended', atStart ?? atEnd, atEnd] as const;
  const { tables } = dataOf(query);
  for await (const { rowCount, columns } of tables.batches('etw_run', names, undefined, 'once')) {
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      if (utid === 0) continue;
      if (atStart !== null) add(utid, columns.ts.values[row] ?? 0, numberAt(columns[atStart], row));
      if (columns.ended.values[row] === 1)
        add(utid, columns.te.values[row] ?? 0, numberAt(columns[atEnd], row));
    }
  }
  for (const [utid, lane] of lanes) {
    const exit_ts = threads.get(utid)?.lane.last ?? lane.last;
    if (exit_ts > lane.last) lane.append(exit_ts, NOTHING);
    lane.trim();
  }
  return { lanes, most };
}
