import { loadCounted } from '../../shared/counters/index.ts';
import { oncePerTrace, toNumber, type Query } from '../../shared/engine/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import aliveSql from './alive.sql';
import type { CpuUsageModel } from './model.ts';
import { missingNotes } from './notes.ts';
import { groupingOf, type CpuUsageParams } from './params.ts';
import { loadRan } from './ran.ts';
import recordedSql from './recorded.sql';
import { sumGroups } from './sum-groups.ts';

/** Asks for all that the view shows of `range`. */
export async function loadCpuUsage(
  query: Query,
  params: CpuUsageParams,
  range: TimeRange,
): Promise<CpuUsageModel> {
  const bounds = { range_start: Math.floor(range.start), range_end: Math.ceil(range.end) };
  const [recorded] = (await query(recordedSql, bounds)).rows();
  const origin_ns = toNumber(recorded?.start_ts) ?? 0;
  const cpu_count = toNumber(recorded?.cpu_count) ?? 0;
  const step_ns = toNumber(recorded?.step_ns);
  const buckets = cutIntoBuckets(range, origin_ns, step_ns);
  const by = groupingOf(params);
  const showsRanks = by === 'rank-priority' || params.rank !== null;
  const aliveSince = by === 'thread' ? await loadAliveSince(query) : new Map<number, number>();
  const ran = await loadRan(query, buckets, origin_ns, step_ns);
  const counted = await loadCounted(query, bounds.range_start, bounds.range_end);
  return {
    origin_ns,
    cpu_count,
    notes: missingNotes({
      has_switches: recorded?.has_switches === 1,
      has_ranks: recorded?.has_ranks === 1,
      other_rank_before_ns: showsRanks ? (toNumber(recorded?.other_rank_before_ns) ?? 0) : 0,
      losses: toNumber(recorded?.losses) ?? 0,
    }),
    by,
    edges: buckets.edges,
    counters: counted.names,
    ...sumGroups(ran, counted, await loadThreadNames(query), buckets.edges, cpu_count, params, aliveSince),
  };
}

/** When each thread began, or the trace where that was before. */
const loadAliveSince = oncePerTrace(async (query): Promise<ReadonlyMap<number, number>> => {
  const rows = await query(aliveSql);
  const alive_ts = rows.numbers('alive_ts');
  return new Map([...rows.numbers('utid')].map((utid, row) => [utid, alive_ts[row] ?? 0]));
});
