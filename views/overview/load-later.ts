import type { Query } from '../../shared/engine/index.ts';
import { inSight, runAllRules, type Finding } from '../../shared/findings/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { TimeRange, UserRules } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import { cpuOfSamples } from './cpu-time.ts';
import { longestWaits } from './longest-waits.ts';
import type { OverviewModel } from './model.ts';
import type { OverviewParams } from './params.ts';
import { readCpu, type CpuOf } from './read.ts';

/** Adds what takes longer: verdicts, and CPU time where only samples tell it. */
export async function loadLater(
  query: Query,
  params: OverviewParams,
  _asked: TimeRange,
  model: OverviewModel,
): Promise<OverviewModel> {
  const max_rows = Math.round(params.limit ?? 12);
  const waits = await longestWaits(query, model.range, max_rows);
  const sampled = await sampledCpu(query, model);
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
async function sampledCpu(query: Query, { range, facts, origin_ns }: OverviewModel): Promise<CpuOf | null> {
  if (facts.context_switches > 0) return null;
  const { tables } = dataOf(query);
  const { edges } = cutIntoBuckets(range, origin_ns, null);
  const busyOf = await cpuOfSamples(tables, { edges });
  return busyOf.size === 0
    ? null
    : readCpu(tables, busyOf, { edges, source: 'samples' }, range, facts.cpu_count);
}
