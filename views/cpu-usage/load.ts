import { loadCounted } from '../../shared/cpu-sum/counted.ts';
import { loadCpuSteps } from '../../shared/cpu-sum/load-step.ts';
import { oncePerTrace, type Query } from '../../shared/engine/index.ts';
import { formatCpuTime } from '../../shared/model/index.ts';
import { boundsOf, loadRecording } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import aliveSql from './alive.sql';
import type { CpuUsageModel } from './model.ts';
import { type CpuUsageParams, recording as needs } from './params.ts';
import { loadRan, otherRankBefore } from './ran.ts';
import { sumGroups } from './sum-groups.ts';

/** Asks for all that the view shows of `range`. */
export async function loadCpuUsage(
  query: Query,
  params: CpuUsageParams,
  range: TimeRange,
): Promise<CpuUsageModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const { origin_ns, unrecorded, notes } = recording;
  const { by } = params;
  const showsRanks = by === 'rank-priority' || params.rank !== null;
  const { outline, tables } = dataOf(query);
  const { cpu_count, step_ns } = await loadCpuSteps(tables);
  const rankBounds = { start: bounds.range_start, end: bounds.range_end };
  const other_rank_before_ns = showsRanks ? await otherRankBefore(query, rankBounds) : 0;
  const buckets = cutIntoBuckets(range, origin_ns, step_ns);
  const aliveSince = by === 'thread' ? await loadAliveSince(outline) : new Map<number, number>();
  const ran = await loadRan(query, buckets);
  const counted = recording.has('counters')
    ? await loadCounted(query, bounds.range_start, bounds.range_end)
    : { names: [], rows: [] };
  const names = await loadThreadNames(tables);
  return {
    origin_ns,
    cpu_count,
    unrecorded,
    notes: [...notes, ...(showsRanks ? rankNotes(other_rank_before_ns) : [])],
    by,
    edges: buckets.edges,
    counters: counted.names,
    ...sumGroups(ran, counted, names, buckets.edges, cpu_count, params, aliveSince),
  };
}

/** What ranks of a run may hide: CPU time of runs whose thread had another rank at the end of its run before. */
function rankNotes(other_rank_before_ns: number): readonly string[] {
  if (other_rank_before_ns === 0) return [];
  return [
    `The rank of a thread is recorded where its run ends. ${formatCpuTime(other_rank_before_ns)} of CPU time are of runs that may have begun at another rank.`,
  ];
}

/** When each thread began, or the trace where that was before. */
const loadAliveSince = oncePerTrace(async (query): Promise<ReadonlyMap<number, number>> => {
  const rows = await query(aliveSql);
  const alive_ts = rows.numbers('alive_ts');
  return new Map([...rows.numbers('utid')].map((utid, row) => [utid, alive_ts[row] ?? 0]));
});
