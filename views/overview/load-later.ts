import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { runAllRules } from '../../shared/findings/index.ts';
import type { TimeRange, UserRules } from '../../shared/view/index.ts';
import { whyLateEstimates, type MainWhy } from '../../shared/why-late/index.ts';
import cpuExactSql from './cpu-exact.sql';
import type { LateWait, OverviewModel } from './model.ts';
import type { OverviewParams } from './params.ts';
import { readCpu } from './read.ts';
import waitsSql from './waits.sql';

/** Adds what needs tables that take long to build: verdicts, findings, and exact CPU time. */
export async function loadLater(
  query: Query,
  params: OverviewParams,
  range: TimeRange,
  model: OverviewModel,
  rules: UserRules = { files: [], refused: [] },
): Promise<OverviewModel> {
  const max_rows = Math.round(params.limit ?? 12);
  const { cpu_count } = model.facts;
  const picked = [...(await query(waitsSql, { max_rows })).rows()];
  const estimates = whyLateEstimates(query);
  await estimates.load(query, picked, cpu_count);
  const waits = picked.map((row) => readWait(row, estimates.of(row) ?? 'not_explained'));
  const exact = [...(await query(cpuExactSql, { range_start: Math.floor(range.start) })).rows()];
  const steps = { buckets: 512, bucket_ns: toNumber(exact[0]?.bucket_ns) ?? 1, one_in: 1 };
  const summed = exact.length === 0 ? null : await readCpu(query, exact, steps, range, cpu_count);
  const findings = await runAllRules(query, rules, range);
  return {
    ...model,
    ...(summed === null ? {} : { cpu: summed.cpu, processes: summed.processes.slice(0, max_rows) }),
    later: { waits, findings },
  };
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
