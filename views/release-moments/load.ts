import { keepLast, toNumber, type Query, type Row } from '../../shared/engine/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import countSql from './count.sql';
import { loadEndedWaits } from './ended-waits.ts';
import type { Moment, ReleaseMomentsModel } from './model.ts';
import momentsSql from './moments.sql';
import { missingNotes } from './notes.ts';
import type { ReleaseMomentsParams } from './params.ts';
import recordedSql from './recorded.sql';
import { endsIn, greatest, peaksOf, sumMoments } from './sum-moments.ts';

/** Steps of time for which the chart has a bar. */
const STEPS = 600;
/** About how many waits are looked at, if the user does not say how long they must be: some 2 µs each. */
const MAX_WAITS = 50_000;
/** How short waits may be, tried from the longest on. */
const THRESHOLDS_NS = [3e10, 1e10, 3e9, 1e9, 3e8, 1e8, 3e7, 1e7, 3e6, 1e6, 0];

/** Asks for the moments of `range`. */
export async function loadReleaseMoments(
  query: Query,
  params: ReleaseMomentsParams,
  range: TimeRange,
): Promise<ReleaseMomentsModel> {
  const bounds = { range_start: Math.floor(range.start), range_end: Math.ceil(range.end) };
  const bucket_ns = Math.max(1, Math.round((params.bucket_ms ?? 1) * 1e6));
  const at_least_ns =
    params.at_least_ms === null
      ? await findThreshold(query, bounds.range_end)
      : Math.round(params.at_least_ms * 1e6);
  const [recorded] = (await query(recordedSql, bounds)).rows();
  const ended = await loadEndedWaits(query, bounds, at_least_ns);
  const { waits, moments } = sumMoments(ended, bucket_ns, at_least_ns);
  const listed = greatest(moments, Math.round(params.limit ?? 200));
  const { ends, since_start } = endsIn(ended, listed, bucket_ns, at_least_ns);
  const described = await query(momentsSql, {
    bucket_ns,
    at_least_ns,
    ends: JSON.stringify(ends),
    since_start: JSON.stringify(since_start),
  });
  const step_ns = Math.max(bucket_ns, Math.ceil((range.end - range.start) / STEPS));
  return {
    origin_ns: toNumber(recorded?.start_ts) ?? 0,
    notes: missingNotes({
      has_switches: recorded?.has_switches === 1,
      has_ready_threads: recorded?.has_ready_threads === 1,
      losses: toNumber(recorded?.losses) ?? 0,
    }),
    bucket_ns,
    at_least_ns,
    waits,
    moment_count: moments.length,
    moments: [...described.rows()].map((row) => readMoment(row, bucket_ns)),
    peaks: peaksOf(moments, bucket_ns, step_ns, bounds.range_start),
  };
}

/** What was found last, by trace. */
const keep = keepLast<number>();

/** The least length of waits at which not too many are counted. */
function findThreshold(query: Query, range_end: number): Promise<number> {
  return keep(query, String(range_end), async () => {
    let threshold_ns = Infinity;
    for (const at_least_ns of THRESHOLDS_NS) {
      const [row] = (await query(countSql, { at_least_ns, range_end, max_rows: MAX_WAITS + 1 })).rows();
      if (Number(row?.waits) > MAX_WAITS) break;
      threshold_ns = at_least_ns;
    }
    return Number.isFinite(threshold_ns) ? threshold_ns : (THRESHOLDS_NS[0] ?? 0);
  });
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
    begun_by: toNumber(row.begun_tid) === null ? releasedBy(row) : threadLabel(row, 'begun'),
    released_sum_ns: Number(row.released_sum_ns),
    run_ts: toNumber(row.run_ts),
    run_tid: toNumber(row.run_tid),
    run_pid: toNumber(row.run_pid),
  };
}

function releasedBy(row: Row): string {
  if (row.cause === 'preempted') return 'a free CPU (preempted threads)';
  return toNumber(row.waker_tid) === null ? 'a DPC' : threadLabel(row, 'waker');
}

/** `svchost.exe Winmgmt (tid 20)`, with what is known, from the columns that begin with `role`. */
function threadLabel(row: Row, role: 'waker' | 'begun'): string {
  const [process, service] = [row[`${role}_process`], row[`${role}_service`]];
  const names = [typeof process === 'string' ? process : 'unknown process'];
  if (typeof service === 'string') names.push(service);
  return `${names.join(' ')} (tid ${Number(row[`${role}_tid`])})`;
}
