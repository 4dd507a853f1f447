import { oncePerTrace, toNumber, type Query, type Row } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording } from '../../shared/recording/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { describeMoments } from './describe-moments.ts';
import { loadEndedWaits } from './ended-waits.ts';
import type { Moment, ReleaseMomentsModel } from './model.ts';
import { type ReleaseMomentsParams, recording as needs } from './params.ts';
import { greatest, leastLength, peaksOf, sumMoments, type MomentSum } from './sum-moments.ts';

/** Steps of time for which the chart has a bar. */
const STEPS = 600;
/** About how many waits are shown, if the user does not say how long they must be. */
const MAX_WAITS = 50_000;
/** How short waits may be then, from the longest on. */
const LENGTHS_NS = [3e10, 1e10, 3e9, 1e9, 3e8, 1e8, 3e7, 1e7, 3e6, 1e6, 0];

/** Asks for the moments of `range`. */
export async function loadReleaseMoments(
  query: Query,
  params: ReleaseMomentsParams,
  range: TimeRange,
): Promise<ReleaseMomentsModel> {
  const bounds = boundsOf(range);
  const bucket_ns = Math.max(1, Math.round((params.bucket_ms ?? 1) * 1e6));
  const recording = await loadRecording(query, needs, bounds);
  const ended = await loadEndedWaits(query);
  const at_least_ns =
    params.at_least_ms === null ? await chooseLength(query) : Math.round(params.at_least_ms * 1e6);
  const inside = { start: bounds.range_start, end: bounds.range_end };
  const { waits, moments, endsIn } = sumMoments(ended, inside, bucket_ns, at_least_ns);
  const listed = greatest(moments, Math.round(params.limit ?? 200));
  const ends = listed.map((moment) => endsIn(moment));
  const asked = { at_least_ns, ends, since_start: ended.since_start };
  const described = await describeMoments(query, asked);
  const step_ns = Math.max(bucket_ns, Math.ceil((range.end - range.start) / STEPS));
  return {
    ...knownOf(recording),
    bucket_ns,
    at_least_ns,
    waits,
    moment_count: moments.length,
    moments: described.flatMap((row) => {
      const sum = listed[Number(row.moment)];
      return sum === undefined ? [] : [readMoment(row, sum)];
    }),
    peaks: peaksOf(moments, step_ns, bounds.range_start),
  };
}

/** The least length of waits that not too many of the trace have. */
const chooseLength = oncePerTrace(async (query) =>
  leastLength(await loadEndedWaits(query), LENGTHS_NS, MAX_WAITS),
);

function readMoment(row: Row, { ts, dur, waited_sum_ns, at_least }: MomentSum): Moment {
  return {
    ts,
    dur,
    waited_sum_ns,
    waited_max_ns: Number(row.waited_max_ns),
    at_least,
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
