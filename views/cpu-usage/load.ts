import { loadCounted } from '../../shared/cpu-sum/counted.ts';
import { loadCpuSteps } from '../../shared/cpu-sum/load-step.ts';
import type { Query } from '../../shared/engine/index.ts';
import { formatCpuTime } from '../../shared/model/index.ts';
import { boundsOf, knownOf, loadRecording } from '../../shared/recording/index.ts';
import { dataOf, type Tables } from '../../shared/tables/index.ts';
import { loadKnownThreads, loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import type { CpuUsageModel } from './model.ts';
import { type CpuUsageParams, recording as needs } from './params.ts';
import { knownOtherRank, loadRan, otherRankBefore } from './ran.ts';
import { sumGroups, type AliveSince } from './sum-groups.ts';

/** Asks for all that the view shows of `range`. */
export async function loadCpuUsage(
  query: Query,
  params: CpuUsageParams,
  range: TimeRange,
): Promise<CpuUsageModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const { by } = params;
  const { tables } = dataOf(query);
  const { cpu_count, step_ns } = await loadCpuSteps(tables);
  const buckets = cutIntoBuckets(range, recording.origin_ns, step_ns);
  const aliveSince = by === 'thread' ? await loadAliveSince(tables, recording.origin_ns) : () => null;
  const ran = await loadRan(query, buckets);
  const counted = recording.has('counters')
    ? await loadCounted(query, bounds.range_start, bounds.range_end)
    : { names: [], rows: [] };
  const names = await loadThreadNames(tables);
  return {
    ...knownOf(recording),
    cpu_count,
    notes: [...recording.notes, ...(showsRanks(params) ? rankNotes(knownOtherRank(query, bounds)) : [])],
    by,
    edges: buckets.edges,
    counters: counted.names,
    ...sumGroups(ran, counted, names, buckets.edges, cpu_count, params, aliveSince),
  };
}

function showsRanks({ by, rank }: CpuUsageParams): boolean {
  return by === 'rank-priority' || rank !== null;
}

/** Adds what ranks of a run may hide: all runs have to be looked at for that. */
export async function addRankNotes(
  query: Query,
  params: CpuUsageParams,
  range: TimeRange,
  model: CpuUsageModel,
): Promise<CpuUsageModel> {
  if (!showsRanks(params)) return model;
  const notes = rankNotes(await otherRankBefore(query, boundsOf(range)));
  // Told even where the model has them: a picture that was kept on disk may have been made before they were known.
  return notes.length === 0 ? model : { ...model, notes: [...new Set([...model.notes, ...notes])] };
}

/** CPU time of runs whose thread had another rank at the end of its run before; null where it is not known yet. */
function rankNotes(other_rank_ns: number | null): readonly string[] {
  if (other_rank_ns === null || other_rank_ns === 0) return [];
  return [
    `The rank of a thread is recorded where its run ends. ${formatCpuTime(other_rank_ns)} of CPU time are of runs that may have begun at another rank.`,
  ];
}

async function loadAliveSince(tables: Tables, origin_ns: number): Promise<AliveSince> {
  const threads = await loadKnownThreads(tables);
  return (utid) => {
    const { tid, create_ts } = threads.of(utid);
    return tid === null ? null : (create_ts ?? origin_ns);
  };
}
