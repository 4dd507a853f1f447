import type { Query } from '../engine/index.ts';
import { dataOf, numberAt } from '../tables/index.ts';
import { Lane, NOTHING } from './lane.ts';
import { loadLanes } from './load-lanes.ts';

/** What the lanes of CPUs say about the threads that ran. */
export type CpuShade = 'priority' | 'rank';

/** Values: nothing where a CPU is idle or its events are missing; one where it is not recorded; else the number and 2. */
export const SHADE_UNKNOWN = 1;
export const SHADE_FIRST = 2;

/** The priority or the rank of what ran on each CPU over time. */
export async function loadCpuShades(query: Query, shade: CpuShade): Promise<readonly Lane[]> {
  const { cpus } = await loadLanes(query);
  const lanes = cpus.map(() => new Lane());
  const names = ['ts', 'te', 'cpu', 'utid', shade] as const;
  for await (const { rowCount, columns } of dataOf(query).tables.batches(
    'etw_run',
    names,
    undefined,
    'once',
  )) {
    for (let row = 0; row < rowCount; row++) {
      const lane = lanes[columns.cpu.values[row] ?? 0];
      const ts = columns.ts.values[row] ?? 0;
      const te = columns.te.values[row] ?? 0;
      if (lane === undefined || te <= ts || columns.utid.values[row] === 0) continue;
      const number = numberAt(columns[shade], row);
      lane.append(ts, number === null ? SHADE_UNKNOWN : number + SHADE_FIRST);
      lane.append(te, NOTHING);
    }
  }
  for (const lane of lanes) lane.trim();
  return lanes;
}
