import { readTraceFacts, type Tables } from '../../shared/tables/index.ts';
import type { TraceSummary } from '../../shared/view/index.ts';

/** Even a trace of one event has a time range to draw. */
const SHORTEST_NS = 1000;

/** What every view needs to know of a trace; null for a Perfetto trace that was not converted from an `.etl`. */
export async function summariseTrace(tables: Tables): Promise<TraceSummary | null> {
  const facts = await readTraceFacts(tables);
  if (facts === null) return null;
  const { start_ts: start, end_ts, cpu_count: cpuCount } = facts;
  return { range: { start, end: Math.max(end_ts, start + SHORTEST_NS) }, cpuCount };
}
