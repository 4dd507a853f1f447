import { readTraceFacts, type Stretch, type Tables } from '../tables/index.ts';
import { loadCpuSteps } from './load-step.ts';
import type { Cut } from './visit-ran.ts';

/** All whole steps of `etw_cpu_time` in a range, however few, and what lies before and after them. */
export async function aroundSteps(tables: Tables, range: Stretch): Promise<Cut> {
  const none = { edges: [range.start, range.end], steps: null };
  const { step_ns } = await loadCpuSteps(tables);
  if (step_ns === null) return none;
  const origin_ns = (await readTraceFacts(tables))?.start_ts ?? 0;
  const start = origin_ns + Math.ceil((range.start - origin_ns) / step_ns) * step_ns;
  const end = origin_ns + Math.floor((range.end - origin_ns) / step_ns) * step_ns;
  return start < end ? { edges: [range.start, start, end, range.end], steps: { start, end } } : none;
}
