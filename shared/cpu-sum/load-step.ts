import { oncePerTrace } from '../engine/index.ts';
import { readTraceFacts, type Tables } from '../tables/index.ts';

/** `etw_cpu_time` has so many steps. */
const STEPS = 512;

/** The CPUs of a trace, and the steps of `etw_cpu_time`. */
export interface CpuSteps {
  readonly cpu_count: number;
  /** Length of a step; null where a trace has none. */
  readonly step_ns: number | null;
}

/** What a trace says of its CPUs, and how long a step is. */
export const loadCpuSteps = oncePerTrace(async (tables: Tables): Promise<CpuSteps> => {
  const facts = await readTraceFacts(tables);
  if (facts === null) return { cpu_count: 0, step_ns: null };
  const { start_ts, end_ts, cpu_count } = facts;
  return { cpu_count, step_ns: Math.max(1, Math.ceil((end_ts - start_ts) / STEPS)) };
});
