import { toNumber, toText, type Cell, type Query } from '../../shared/engine/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { sumCpu, type CpuSteps } from './cpu-strip.ts';
import type { OverviewModel } from './model.ts';
import processesSql from './processes.sql';

/** CPU time, over time and by process. */
export type CpuOf = Pick<OverviewModel, 'cpu' | 'processes'>;

/** Names the processes of rows of CPU time, and sums them up. */
export async function readCpu(
  query: Query,
  rows: Iterable<Readonly<Record<string, Cell>>>,
  steps: CpuSteps,
  range: TimeRange,
  cpuCount: number,
): Promise<CpuOf> {
  const named = await query(processesSql);
  const names = new Map(
    [...named.rows()].map((row) => [
      Number(row.upid),
      { process: toText(row.name), pid: toNumber(row.pid), services: toText(row.services) },
    ]),
  );
  const parts = [...rows].map((row) => ({
    number: Number(row.number),
    upid: toNumber(row.upid),
    ran_ns: Number(row.ran_ns),
  }));
  return sumCpu(parts, steps, names, cpuCount * (range.end - range.start));
}
