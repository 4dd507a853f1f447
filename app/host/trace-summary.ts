import type { Tables } from '../../shared/tables/index.ts';
import type { TraceSummary } from '../../shared/view/index.ts';

/** Even a trace of one event has a time range to draw. */
const SHORTEST_NS = 1000;

/** What every view needs to know of a trace; null for a Perfetto trace that was not converted from an `.etl`. */
export async function summariseTrace(tables: Tables): Promise<TraceSummary | null> {
  for await (const { columns } of tables.batches('etw_trace', ['start_ts', 'dur_ns', 'cpu_count'])) {
    const start = columns.start_ts.values[0] ?? 0;
    const end = start + Math.max(SHORTEST_NS, columns.dur_ns.values[0] ?? 0);
    return { range: { start, end }, cpuCount: columns.cpu_count.values[0] ?? 0 };
  }
  return null;
}
