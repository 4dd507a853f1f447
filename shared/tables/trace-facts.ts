import { traceRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** What a recording says of its span, its CPUs and its clock. */
export interface TraceFacts {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly cpu_count: number;
  /** A tick of the clock. */
  readonly tick_ns: number;
}

/** A tick where the rate of the clock is not recorded. */
const USUAL_TICK_NS = 100;

/** What a trace says of itself; null for a Perfetto trace that was not converted from an `.etl`. */
export async function readTraceFacts(tables: Tables): Promise<TraceFacts | null> {
  const row = await traceRow(tables, ['start_ts', 'end_ts', 'cpu_count', 'clock_hz']);
  if (row === null) return null;
  const hz = Number(row.clock_hz);
  return {
    start_ts: Number(row.start_ts),
    end_ts: Number(row.end_ts),
    cpu_count: Number(row.cpu_count),
    tick_ns: hz > 0 ? 1e9 / hz : USUAL_TICK_NS,
  };
}

/** A range of the trace, in ns, under the names that SQL binds. */
export interface Bounds {
  readonly range_start: number;
  readonly range_end: number;
}

/** Whether a range is the whole trace, or more. */
export function coversTrace(
  range: Bounds,
  { start_ts, end_ts }: Pick<TraceFacts, 'start_ts' | 'end_ts'>,
): boolean {
  return range.range_start <= start_ts && range.range_end >= end_ts;
}
