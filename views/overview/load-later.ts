import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { inSight, runAllRules, type Finding } from '../../shared/findings/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { TimeRange, UserRules } from '../../shared/view/index.ts';
import { whyLateEstimates, type MainWhy } from '../../shared/why-late/index.ts';
import cpuOfSamplesSql from './cpu-of-samples.sql';
import { longestWaits } from './longest-waits.ts';
import type { LateWait, OverviewModel } from './model.ts';
import type { OverviewParams } from './params.ts';
import { readCpu, readParts, type CpuOf } from './read.ts';

/** Steps of time that samples are summed in. */
const SAMPLED_STEPS = 256;

/** Adds what takes longer: verdicts, and CPU time where only samples tell it. */
export async function loadLater(
  query: Query,
  params: OverviewParams,
  _asked: TimeRange,
  model: OverviewModel,
): Promise<OverviewModel> {
  const max_rows = Math.round(params.limit ?? 12);
  const { range } = model;
  const picked = await longestWaits(query, range, max_rows);
  const estimates = whyLateEstimates(query);
  await estimates.load(query, picked);
  const waits = picked.map((row) => readWait(row, estimates.of(row) ?? 'not_explained'));
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
  const rows = [...(await query(cpuOfSamplesSql, { range_start, range_end, bucket_ns })).rows()];
  const steps = { buckets: SAMPLED_STEPS, bucket_ns, source: 'samples' } as const;
  return rows.length === 0
    ? null
    : readCpu(dataOf(query).tables, readParts(rows), steps, range, facts.cpu_count);
}

function readWait(row: Row, why_late: MainWhy): LateWait {
  return {
    ts: Number(row.ts),
    dur: Number(row.dur),
    ended: row.ended === 1,
    tid: toNumber(row.tid),
    thread: toText(row.thread),
    pid: toNumber(row.pid),
    process: toText(row.process),
    rank: toNumber(row.rank),
    priority: toNumber(row.priority),
    why_late,
  };
}
