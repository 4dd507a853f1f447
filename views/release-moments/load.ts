import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording } from '../../shared/recording/index.ts';
import { loadMoments } from '../../shared/releases/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { ReleaseMomentsModel } from './model.ts';
import { type ReleaseMomentsParams, recording as needs } from './params.ts';

/** Steps of time for which the chart has a bar. */
const STEPS = 600;

/** Asks for the moments of `range`. */
export async function loadReleaseMoments(
  query: Query,
  params: ReleaseMomentsParams,
  range: TimeRange,
): Promise<ReleaseMomentsModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const bucket_ns = Math.max(1, Math.round((params.bucket_ms ?? 1) * 1e6));
  const wanted = {
    bucket_ns,
    at_least_ns: params.at_least_ms === null ? null : Math.round(params.at_least_ms * 1e6),
    limit: Math.round(params.limit ?? 200),
  };
  const inside = { start: bounds.range_start, end: bounds.range_end };
  const { at_least_ns, waits, sums, greatest } = await loadMoments(query, wanted, inside);
  const step_ns = Math.max(bucket_ns, Math.ceil((range.end - range.start) / STEPS));
  return {
    ...knownOf(recording),
    bucket_ns,
    at_least_ns,
    waits,
    moment_count: sums.count,
    moments: greatest,
    peaks: sums.peaks(step_ns, bounds.range_start),
  };
}
