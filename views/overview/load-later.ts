import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { inSight, runAllRules, type Finding } from '../../shared/findings/index.ts';
import { boundsOf } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { TimeRange, UserRules } from '../../shared/view/index.ts';
import { whyLateEstimates, type MainWhy } from '../../shared/why-late/index.ts';
import cpuExactSql from './cpu-exact.sql';
import cpuOfSamplesSql from './cpu-of-samples.sql';
import type { CpuSteps } from './cpu-strip.ts';
import { SUMMED_STEPS } from './cpu-of-columns.ts';
import { askSlices, BUCKETS } from './load.ts';
import { longestOfColumns } from './longest-of-columns.ts';
import type { LateWait, OverviewModel } from './model.ts';
import type { OverviewParams } from './params.ts';
import { readCpu, readParts, type CpuOf } from './read.ts';
import waitsSql from './waits.sql';

/** Adds what needs tables that take long to build: verdicts, and exact CPU time. */
export async function loadLater(
  query: Query,
  params: OverviewParams,
  _asked: TimeRange,
  model: OverviewModel,
): Promise<OverviewModel> {
  const max_rows = Math.round(params.limit ?? 12);
  const { range } = model;
  const picked = dataOf(query).hasColumns
    ? await longestOfColumns(query, range, max_rows)
    : [...(await query(waitsSql, { ...boundsOf(range), max_rows })).rows()];
  const estimates = whyLateEstimates(query);
  await estimates.load(query, picked);
  const waits = picked.map((row) => readWait(row, estimates.of(row) ?? 'not_explained'));
  const summed = await exactCpu(query, model);
  return {
    ...model,
    ...(summed === null ? {} : { cpu: summed.cpu, processes: summed.processes.slice(0, max_rows) }),
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

/** CPU time as exactly as it is known: of the context switches, or of the samples where there are none; null for no change. */
async function exactCpu(
  query: Query,
  { range, origin_ns, facts, cpu }: OverviewModel,
): Promise<CpuOf | null> {
  const { cpu_count, recorded_ns, context_switches } = facts;
  if (dataOf(query).hasColumns && context_switches > 0) return null;
  const range_start = Math.floor(range.start);
  const read = (rows: readonly Row[], steps: CpuSteps) =>
    readCpu(query, readParts(rows), steps, range, cpu_count);
  const bucket_ns = Math.max(1, Math.ceil((range.end - range_start) / BUCKETS));
  if (context_switches === 0) {
    const bounds = { range_start, range_end: Math.ceil(range.end), bucket_ns };
    const rows = [...(await query(cpuOfSamplesSql, bounds)).rows()];
    return rows.length === 0
      ? null
      : read(rows, { buckets: BUCKETS, bucket_ns, one_in: 1, source: 'samples' });
  }
  if (range.start > origin_ns || range.end < origin_ns + recorded_ns)
    return cpu.one_in === 1 ? null : askSlices(query, range, cpu_count, 1);
  const rows = [...(await query(cpuExactSql, { range_start })).rows()];
  const step_ns = toNumber(rows[0]?.bucket_ns);
  if (step_ns === null) return null;
  return read(rows, { buckets: SUMMED_STEPS, bucket_ns: step_ns, one_in: 1, source: 'switches' });
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
