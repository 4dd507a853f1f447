import type { Query } from '../../shared/engine/index.ts';
import type { TraceSummary } from '../../shared/view/index.ts';
import summarySql from './trace-summary.sql';

/** Even a trace of one event has a time range to draw. */
const SHORTEST_NS = 1000;

/** What every view needs to know of an open trace; null for a Perfetto trace that was not converted from an `.etl`. */
export async function summariseTrace(query: Query): Promise<TraceSummary | null> {
  const [row] = (await query(summarySql)).rows();
  if (!row) return null;
  const start = Number(row.start_ts);
  const end = start + Math.max(SHORTEST_NS, Number(row.dur_ns));
  return { range: { start, end }, cpuCount: Number(row.cpu_count) };
}
