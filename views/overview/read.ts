import type { Tables } from '../../shared/tables/index.ts';
import { loadProcesses } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadLosses } from '../../shared/why-late/columns/index.ts';
import { sumCpu, type CpuPart, type CpuSteps } from './cpu-strip.ts';
import type { OverviewModel } from './model.ts';

/** CPU time, over time and by process. */
export type CpuOf = Pick<OverviewModel, 'cpu' | 'processes'>;

/** Names the processes of parts of CPU time, and sums them up. */
export async function readCpu(
  tables: Tables,
  parts: readonly CpuPart[],
  steps: CpuSteps,
  range: TimeRange,
  cpuCount: number,
): Promise<CpuOf> {
  const names = await loadProcesses(tables);
  const range_start = Math.floor(range.start);
  const lost = (await loadLosses(tables)).filter(
    ({ ts, te }) => ts < Math.ceil(range.end) && te > range_start,
  );
  return sumCpu(parts, steps, names, cpuCount * (range.end - range.start), range_start, lost);
}
