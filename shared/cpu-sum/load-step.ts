import { oncePerTrace, toNumber, type Query } from '../engine/index.ts';
import stepSql from './step.sql';

/** The CPUs of a trace, and the steps of `etw_cpu_time`. */
export interface CpuSteps {
  readonly cpu_count: number;
  /** Length of a step; null where a trace has none. */
  readonly step_ns: number | null;
}

/** Asks the outline of a trace. */
export const loadCpuSteps = oncePerTrace(async (outline: Query): Promise<CpuSteps> => {
  const [row] = (await outline(stepSql)).rows();
  return { cpu_count: toNumber(row?.cpu_count) ?? 0, step_ns: toNumber(row?.step_ns) };
});
