import type { Cell, Query, Row } from '../../shared/engine/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { Moment, ReleaseMomentsModel, StepPeak } from './model.ts';
import momentsSql from './moments.sql';
import { missingNotes } from './notes.ts';
import type { ReleaseMomentsParams } from './params.ts';
import peaksSql from './peaks.sql';
import recordedSql from './recorded.sql';
import waitsSql from './waits.sql';

/** Steps of time for which the chart has a bar. */
const STEPS = 600;

/** Asks for the moments of `range`. */
export async function loadReleaseMoments(
  query: Query,
  params: ReleaseMomentsParams,
  range: TimeRange,
): Promise<ReleaseMomentsModel> {
  const bounds = { range_start: Math.floor(range.start), range_end: Math.ceil(range.end) };
  const bucket_ns = Math.max(1, Math.round((params.bucket_ms ?? 1) * 1e6));
  const at_least_ns = Math.round((params.at_least_ms ?? 0) * 1e6);
  await query(waitsSql, { ...bounds, bucket_ns, at_least_ns });
  const [recorded] = (await query(recordedSql, bounds)).rows();
  const moments = await query(momentsSql, { max_rows: Math.round(params.limit ?? 200) });
  const step_ns = Math.max(bucket_ns, Math.ceil((range.end - range.start) / STEPS));
  const peaks = await query(peaksSql, { bucket_ns, step_ns, range_start: bounds.range_start });
  return {
    origin_ns: toNumber(recorded?.start_ts) ?? 0,
    notes: missingNotes({
      has_switches: recorded?.has_switches === 1,
      has_ready_threads: recorded?.has_ready_threads === 1,
      losses: toNumber(recorded?.losses) ?? 0,
    }),
    bucket_ns,
    waits: toNumber(recorded?.waits) ?? 0,
    moment_count: toNumber(recorded?.moment_count) ?? 0,
    moments: [...moments.rows()].map((row) => readMoment(row, bucket_ns)),
    peaks: [...peaks.rows()].map((row) => readPeak(row, bounds.range_start, step_ns)),
  };
}

function readMoment(row: Row, bucket_ns: number): Moment {
  return {
    ts: Number(row.bucket) * bucket_ns,
    dur: bucket_ns,
    waited_sum_ns: Number(row.waited_sum_ns),
    waited_max_ns: Number(row.waited_max_ns),
    at_least: row.at_least === 1,
    threads: Number(row.threads),
    processes: Number(row.processes),
    released_by: releasedBy(row),
    released_sum_ns: Number(row.released_sum_ns),
    run_ts: toNumber(row.run_ts),
    run_tid: toNumber(row.run_tid),
    run_pid: toNumber(row.run_pid),
  };
}

function releasedBy(row: Row): string {
  if (row.cause === 'preempted') return 'a free CPU (preempted threads)';
  const tid = toNumber(row.waker_tid);
  if (tid === null) return 'a DPC';
  return `${typeof row.waker_process === 'string' ? row.waker_process : 'unknown process'} (tid ${tid})`;
}

function readPeak(row: Row, start: number, step_ns: number): StepPeak {
  return {
    ts: start + Number(row.step) * step_ns,
    dur: step_ns,
    waited_sum_ns: Number(row.waited_sum_ns),
    at_least: row.at_least === 1,
  };
}

function toNumber(cell: Cell | undefined): number | null {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}
