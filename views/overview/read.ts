import type { Tables } from '../../shared/tables/index.ts';
import { loadProcesses } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadLosses } from '../../shared/why-late/columns/index.ts';
import { sumCpu } from './cpu-strip.ts';
import type { BusyOf } from './cpu-time.ts';
import type { CpuStrip, OverviewModel } from './model.ts';

/** CPU time, over time and by process. */
export type CpuOf = Pick<OverviewModel, 'cpu' | 'processes'>;

/** Names the processes of CPU time, and sums it up. */
export async function readCpu(
  tables: Tables,
  busyOf: BusyOf,
  of: Pick<CpuStrip, 'edges' | 'source'>,
  range: TimeRange,
  cpuCount: number,
): Promise<CpuOf> {
  const names = await loadProcesses(tables);
  const lost = (await loadLosses(tables)).filter(
    ({ ts, te }) => ts < Math.ceil(range.end) && te > Math.floor(range.start),
  );
  return sumCpu(busyOf, of, names, cpuCount * (range.end - range.start), lost);
}
