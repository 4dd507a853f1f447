import { sum } from 'd3';
import { loadCpuSteps } from '../../shared/cpu-sum/load-step.ts';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording } from '../../shared/recording/index.ts';
import { dataOf, numberAt, type Stretch, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames, upidsWhere, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import { countOnCpus, SwitchCounts, type CpuCounts } from './count.ts';
import type { SwitchesModel } from './model.ts';
import { params as specs, type SwitchesParams, recording as needs } from './params.ts';
import { sumGroups, type Counted } from './sum-groups.ts';
import { THRESHOLDS } from './thresholds.ts';

/** Another grouping or filter needs no new count. */
const keepCounts = keepLast<SwitchCounts>();
const keepOnCpus = keepLast<CpuCounts>();
const keepSampled = keepLast<Sampled>();
const IDLE_UTID = 0;

/** Asks for the counts of `range`; pairs come later. */
export async function loadSwitches(
  query: Query,
  params: SwitchesParams,
  range: TimeRange,
): Promise<SwitchesModel> {
  const bounds = boundsOf(range);
  const { tables } = dataOf(query);
  const recording = await loadRecording(query, needs, bounds);
  const { origin_ns } = recording;
  const { cpu_count, step_ns } = await loadCpuSteps(tables);
  const buckets = cutIntoBuckets(range, origin_ns, step_ns);
  const { edges } = buckets;
  const [range_start = 0] = edges;
  const range_end = edges.at(-1) ?? 0;
  const { by } = params;
  const key = edges.join(' ');
  const counts = await keepCounts(query, key, () => SwitchCounts.of(tables, buckets));
  const onCpus =
    by === 'cpu' ? await keepOnCpus(query, key, () => countOnCpus(tables, buckets)) : new Map<never, never>();
  const samples = await keepSampled(query, key, () =>
    loadSampled(tables, { start: range_start, end: range_end }),
  );
  const names = await loadThreadNames(tables);
  const dur_ns = Math.max(1, range_end - range_start);
  const chosen =
    by === 'cpu'
      ? countCpus(onCpus, samples.by_cpu)
      : ofProcesses(countThreads(counts, samples.by_thread), names, params.process);
  const { groups, count } = sumGroups(chosen, names, { by, all: sum(counts.all), dur_ns });
  const drawn = groups.slice(0, params.top ?? specs.top.default);
  const lines = by === 'cpu' ? drawn.map((group) => onCpus.get(group.key)) : counts.linesOf(drawn);
  const capacity_ns = dur_ns * cpu_count;
  return {
    ...knownOf(recording),
    dur_ns,
    by,
    thresholds: THRESHOLDS,
    edges,
    switches: [...counts.all],
    to_idle: [...counts.to_idle],
    series: drawn.map(({ group }, index) => ({ label: group.label, switches: [...(lines[index] ?? [])] })),
    kernel: recording.has('samples') && capacity_ns > 0 ? samples.kernel_ns / capacity_ns : null,
    groups: groups.map(({ group }) => group),
    group_count: count,
    pairs: null,
  };
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

async function loadSampled(tables: Tables, { start, end }: Stretch): Promise<Sampled> {
  const [by_thread, by_cpu] = [new Map<number, SampleCount>(), new Map<number, SampleCount>()];
  let kernel_ns = 0;
  const names = ['ts', 'cpu', 'utid', 'is_kernel', 'weight_ns'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_sample', names, { start, end })) {
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      const utid = columns.utid.values[row] ?? 0;
      if (ts < start || ts >= end || utid === IDLE_UTID) continue;
      const isKernel = columns.is_kernel.values[row] === 1;
      addTo(by_thread, utid, isKernel);
      addTo(by_cpu, columns.cpu.values[row] ?? 0, isKernel);
      if (isKernel) kernel_ns += numberAt(columns.weight_ns, row) ?? 0;
    }
  }
  return { by_thread, by_cpu, kernel_ns };
}

function addTo(counts: Map<number, SampleCount>, id: number, isKernel: boolean): void {
  const count = counts.get(id) ?? { samples: 0, in_kernel: 0 };
  counts.set(id, count);
  count.samples++;
  if (isKernel) count.in_kernel++;
}

const NO_SAMPLES: SampleCount = { samples: 0, in_kernel: 0 };

function countThreads(counts: SwitchCounts, sampled: Sampled['by_thread']): readonly Counted[] {
  return counts.threads().map((count) => ({ ...count, ...(sampled.get(count.id) ?? NO_SAMPLES) }));
}

function countCpus(onCpus: CpuCounts, sampled: Sampled['by_cpu']): readonly Counted[] {
  return [...onCpus].map(([id, counts]) => ({
    id,
    switches: sum(counts),
    ran_ns: null,
    ...(sampled.get(id) ?? NO_SAMPLES),
  }));
}

/** Those of the processes whose name contains `process`. */
function ofProcesses(
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
