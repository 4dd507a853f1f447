import type { Query } from '../../shared/engine/index.ts';
import { inSight, runAllRules, type Finding } from '../../shared/findings/index.ts';
import { dataOf, numberAt, PairNumbers, type Stretch, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange, UserRules } from '../../shared/view/index.ts';
import type { CpuPart } from './cpu-strip.ts';
import { longestWaits } from './longest-waits.ts';
import type { OverviewModel } from './model.ts';
import type { OverviewParams } from './params.ts';
import { readCpu, type CpuOf } from './read.ts';

/** Steps of time that samples are summed in. */
const SAMPLED_STEPS = 256;
const SAMPLE_COLUMNS = ['ts', 'utid', 'weight_ns'] as const;
const IDLE_UTID = 0;
/** In place of the key of a process. */
const UNKNOWN_UPID = -1;

/** Adds what takes longer: verdicts, and CPU time where only samples tell it. */
export async function loadLater(
  query: Query,
  params: OverviewParams,
  _asked: TimeRange,
  model: OverviewModel,
): Promise<OverviewModel> {
  const max_rows = Math.round(params.limit ?? 12);
  const waits = await longestWaits(query, model.range, max_rows);
  const sampled = await cpuOfSamples(query, model);
  return {
    ...model,
    ...(sampled === null ? {} : { cpu: sampled.cpu, processes: sampled.processes.slice(0, max_rows) }),
    waits,
  };
}

/** Adds what rules find, those of the user among them. */
export async function findLater(
  query: Query,
  model: OverviewModel,
  rules: UserRules,
): Promise<OverviewModel> {
  const { range, origin_ns, facts } = model;
  const whole = { start: origin_ns, end: Math.max(range.end, origin_ns + facts.recorded_ns) };
  const all = await runAllRules(query, rules, whole);
  const isShown = ({ where: { span } }: Finding) => span.start <= range.end && span.end >= range.start;
  return { ...model, findings: inSight(all, isShown) };
}

/** CPU time of the samples where there are no context switches; null where it is known already, or not at all. */
async function cpuOfSamples(query: Query, { range, facts }: OverviewModel): Promise<CpuOf | null> {
  if (facts.context_switches > 0) return null;
  const range_start = Math.floor(range.start);
  const range_end = Math.ceil(range.end);
  const bucket_ns = Math.max(1, Math.ceil((range.end - range_start) / SAMPLED_STEPS));
  const { tables } = dataOf(query);
  const parts = await sampledParts(tables, { start: range_start, end: range_end }, bucket_ns);
  const steps = { buckets: SAMPLED_STEPS, bucket_ns, source: 'samples' } as const;
  return parts.length === 0 ? null : readCpu(tables, parts, steps, range, facts.cpu_count);
}

/** CPU time by process in steps of time, as samples of the profile stand for it: each for the interval between two. */
async function sampledParts(tables: Tables, { start, end }: Stretch, bucket_ns: number): Promise<CpuPart[]> {
  const threads = await loadThreadNames(tables);
  const parts = new PairNumbers();
  const ran_ns: number[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_sample', SAMPLE_COLUMNS, { start, end })) {
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      const utid = columns.utid.values[row] ?? 0;
      const weight_ns = numberAt(columns.weight_ns, row);
      if (ts < start || ts >= end || utid === IDLE_UTID || weight_ns === null) continue;
      const part = parts.of(Math.floor((ts - start) / bucket_ns), threads.get(utid)?.upid ?? UNKNOWN_UPID);
      ran_ns[part] = (ran_ns[part] ?? 0) + weight_ns;
    }
  }
  return ran_ns.map((ns, part) => {
    const upid = parts.second(part);
    return { number: parts.first(part), upid: upid === UNKNOWN_UPID ? null : upid, ran_ns: ns };
  });
}
