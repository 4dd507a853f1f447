import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { sumCpu, type CpuPart, type CpuSteps } from './cpu-strip.ts';
import lostSql from './lost.sql';
import type { OverviewModel } from './model.ts';
import processesSql from './processes.sql';

/** CPU time, over time and by process. */
export type CpuOf = Pick<OverviewModel, 'cpu' | 'processes'>;

/** The parts of CPU time that rows tell. */
export function readParts(rows: Iterable<Row>): CpuPart[] {
  return [...rows].map((row) => ({
    number: Number(row.number),
    upid: toNumber(row.upid),
    ran_ns: Number(row.ran_ns),
  }));
}

/** Names the processes of parts of CPU time, and sums them up. */
export async function readCpu(
  query: Query,
  parts: readonly CpuPart[],
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
  const range_start = Math.floor(range.start);
  const gaps = await query(lostSql, { range_start, range_end: Math.ceil(range.end) });
  const lost = [...gaps.rows()].map(({ cpu, ts, te }) => ({
    cpu: Number(cpu),
    ts: Number(ts),
    te: Number(te),
  }));
  return sumCpu(parts, steps, names, cpuCount * (range.end - range.start), range_start, lost);
}
