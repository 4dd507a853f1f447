import { toNumber, type Query, type QueryResult } from '../../shared/engine/index.ts';
import { loadRecording } from '../../shared/recording/index.ts';
import { loadThreadNames, upidsWhere, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import cpusSql from './cpus.sql';
import kernelSql from './kernel.sql';
import type { SwitchesModel, SwitchSeries } from './model.ts';
import {
  groupingOf,
  params as specs,
  type Grouping,
  type SwitchesParams,
  recording as needs,
} from './params.ts';
import machineSql from './machine.sql';
import seriesSql from './series.sql';
import { sumGroups, type Counted, type CountedGroup } from './sum-groups.ts';
import { THRESHOLDS } from './thresholds.ts';
import threadsSql from './threads.sql';

/** Asks for the counts of `range`; pairs come later. */
export async function loadSwitches(
  query: Query,
  params: SwitchesParams,
  range: TimeRange,
): Promise<SwitchesModel> {
  const bounds = { range_start: Math.floor(range.start), range_end: Math.ceil(range.end) };
  const recording = await loadRecording(query, needs, bounds);
  const { origin_ns } = recording;
  const [machine] = (await query(machineSql)).rows();
  const step_ns = toNumber(machine?.step_ns);
  const { edges, steps } = cutIntoBuckets(range, origin_ns, step_ns);
  const [range_start = 0, second = 0] = edges;
  const range_end = edges.at(-1) ?? 0;
  // Without whole steps all is counted from runs, as what is before the first of them.
  const { start: steps_start, end: steps_end } = steps ?? { start: range_end, end: range_end };
  const buckets = { range_start, steps_start, steps_end, range_end, bucket_ns: second - range_start };
  const byStep = {
    first_step: steps === null || step_ns === null ? 0 : (steps_start - origin_ns) / step_ns,
    after_step: steps === null || step_ns === null ? 0 : (steps_end - origin_ns) / step_ns,
  };
  const bucketOf = new Map(edges.slice(0, -1).map((edge, index) => [edge, index]));
  const sumsOf = (rows: QueryResult, column: string) => sumBy(rows, bucketOf, column);

  const cpus = await query(cpusSql, buckets);
  const switches = [...sumsOf(cpus, 'switches')];
  const all = switches.reduce((sum, count) => sum + count, 0);
  const samples = await loadSampled(query, { range_start, range_end });
  const by = groupingOf(params);
  const names = await loadThreadNames(query);
  const dur_ns = Math.max(1, range_end - range_start);
  const counted =
    by === 'cpu'
      ? countCpus(cpus, samples.by_cpu)
      : await countThreads(query, { range_start, steps_start, steps_end, range_end, ...byStep }, samples);
  const chosen = by === 'cpu' ? counted : ofProcesses(counted, names, params.process);
  const { groups, count } = sumGroups(chosen, names, { by, all, dur_ns });
  const drawn = groups.slice(0, params.top ?? specs.top.default);
  const rows =
    by === 'cpu'
      ? cpus
      : await query(seriesSql, {
          ...{ ...buckets, ...byStep, origin_ns, step_ns: step_ns ?? 1 },
          ...threadsOf(drawn, by),
        });
  const capacity_ns = dur_ns * (toNumber(machine?.cpu_count) ?? 0);
  return {
    origin_ns,
    dur_ns,
    unrecorded: recording.unrecorded,
    notes: recording.notes,
    by,
    thresholds: THRESHOLDS,
    edges,
    switches,
    to_idle: [...sumsOf(cpus, 'to_idle')],
    series: seriesOf(drawn, rows, bucketOf, by === 'cpu' ? 'cpu' : 'id'),
    kernel: recording.has('samples') && capacity_ns > 0 ? samples.kernel_ns / capacity_ns : null,
    groups: groups.map(({ group }) => group),
    group_count: count,
    pairs: null,
    one_in: 1,
  };
}

/** The threads of groups, as JSON for the engine: those of a known process by its upid alone, since it can have a million. */
function threadsOf(groups: readonly CountedGroup[], by: Grouping) {
  const isProcess = ({ key }: CountedGroup) => by === 'process' && key >= 0;
  const listed = groups.filter((group) => !isProcess(group));
  return {
    upids: JSON.stringify(groups.filter(isProcess).map(({ key }) => key)),
    threads: JSON.stringify(listed.flatMap(({ key, ids }) => ids.map((id) => [id, key]))),
  };
}

/** The sums of a column by bucket. */
function sumBy(rows: QueryResult, bucketOf: ReadonlyMap<number, number>, column: string): Float64Array {
  const sums = new Float64Array(bucketOf.size);
  const counts = rows.numbers(column);
  rows.numbers('ts').forEach((ts, row) => {
    const bucket = bucketOf.get(ts);
    if (bucket !== undefined) sums[bucket] = (sums[bucket] ?? 0) + (counts[row] ?? 0);
  });
  return sums;
}

function seriesOf(
  groups: readonly CountedGroup[],
  rows: QueryResult,
  bucketOf: ReadonlyMap<number, number>,
  idColumn: string,
): readonly SwitchSeries[] {
  const sums = groups.map(() => new Array<number>(bucketOf.size).fill(0));
  const groupOf = new Map(groups.map(({ key }, index) => [key, index]));
  const [ids, switches] = [rows.numbers(idColumn), rows.numbers('switches')];
  rows.numbers('ts').forEach((ts, row) => {
    const bucket = bucketOf.get(ts);
    const sum = sums[groupOf.get(ids[row] ?? -1) ?? -1];
    if (bucket !== undefined && sum !== undefined) sum[bucket] = (sum[bucket] ?? 0) + (switches[row] ?? 0);
  });
  return groups.map(({ group }, index) => ({ label: group.label, switches: sums[index] ?? [] }));
}

interface SampleCount {
  samples: number;
  in_kernel: number;
}

interface Sampled {
  readonly by_thread: ReadonlyMap<number, SampleCount>;
  readonly by_cpu: ReadonlyMap<number, SampleCount>;
  readonly kernel_ns: number;
}

async function loadSampled(
  query: Query,
  bounds: { readonly range_start: number; readonly range_end: number },
): Promise<Sampled> {
  const [by_thread, by_cpu] = [new Map<number, SampleCount>(), new Map<number, SampleCount>()];
  let kernel_ns = 0;
  for (const row of (await query(kernelSql, bounds)).rows()) {
    const [samples, in_kernel] = [Number(row.samples), Number(row.in_kernel)];
    for (const [counts, id] of [
      [by_thread, Number(row.utid)],
      [by_cpu, Number(row.cpu)],
    ] as const) {
      const count = counts.get(id) ?? { samples: 0, in_kernel: 0 };
      counts.set(id, { samples: count.samples + samples, in_kernel: count.in_kernel + in_kernel });
    }
    kernel_ns += Number(row.kernel_ns);
  }
  return { by_thread, by_cpu, kernel_ns };
}

async function countThreads(
  query: Query,
  bounds: Readonly<Record<string, number>>,
  { by_thread }: Sampled,
): Promise<readonly Counted[]> {
  const rows = await query(threadsSql, bounds);
  const [switches, ran_ns] = [rows.numbers('switches'), rows.numbers('ran_ns')];
  return Array.from(rows.numbers('utid'), (id, row) => ({
    id,
    switches: switches[row] ?? 0,
    ran_ns: ran_ns[row] ?? 0,
    ...(by_thread.get(id) ?? { samples: 0, in_kernel: 0 }),
  }));
}

function countCpus(rows: QueryResult, sampled: Sampled['by_cpu']): readonly Counted[] {
  const sums = new Map<number, number>();
  const switches = rows.numbers('switches');
  rows.numbers('cpu').forEach((cpu, row) => sums.set(cpu, (sums.get(cpu) ?? 0) + (switches[row] ?? 0)));
  return [...sums].map(([id, count]) => ({
    id,
    switches: count,
    ran_ns: null,
    ...(sampled.get(id) ?? { samples: 0, in_kernel: 0 }),
  }));
}

/** Those of the processes whose name contains `process`. */
export function ofProcesses(
  counted: readonly Counted[],
  names: ReadonlyMap<number, ThreadName>,
  process: string | null,
): readonly Counted[] {
  const upids = upidsNamed(names, process);
  return upids === null ? counted : counted.filter(({ id }) => upids.has(names.get(id)?.upid ?? -1));
}

/** The processes whose name contains `process`, as upids; null for all. */
export function upidsNamed(
  names: ReadonlyMap<number, ThreadName>,
  process: string | null,
): ReadonlySet<number> | null {
  if (process === null || process === '') return null;
  const wanted = process.toLowerCase();
  return upidsWhere(names, (name) => (name.process ?? '').toLowerCase().includes(wanted));
}
