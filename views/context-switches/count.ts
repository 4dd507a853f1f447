import { visitRan, type Cut } from '../../shared/cpu-sum/visit-ran.ts';
import type { Tables } from '../../shared/tables/index.ts';
import type { CountedGroup } from './sum-groups.ts';

/** Context switches to a thread, and its CPU time. */
interface ThreadCount {
  /** The utid. */
  readonly id: number;
  switches: number;
  ran_ns: number;
}

/** The context switches of a range in buckets of time. */
export interface SwitchCounts {
  /** On each CPU, bucket by bucket, those to the idle thread included. */
  readonly onCpus: ReadonlyMap<number, Float64Array>;
  /** Those to the idle thread, bucket by bucket. */
  readonly to_idle: Float64Array;
  /** To each thread but the idle one, by utid. */
  readonly threads: readonly ThreadCount[];
  /** To groups of threads, bucket by bucket. */
  linesOf(groups: readonly CountedGroup[]): readonly Float64Array[];
}

/** Counts the context switches of a range. */
export async function countSwitches(tables: Tables, cut: Cut): Promise<SwitchCounts> {
  const buckets = cut.edges.length - 1;
  const threads = new Map<number, ThreadCount>();
  const rows: { readonly bucket: number; readonly utid: number; readonly switches: number }[] = [];
  await visitRan(tables, cut, (bucket, utid, _priority, _rank, ran_ns, switches) => {
    if (utid === 0) return;
    const sum = threads.get(utid) ?? { id: utid, switches: 0, ran_ns: 0 };
    threads.set(utid, sum);
    sum.switches += switches;
    sum.ran_ns += ran_ns;
    if (switches > 0) rows.push({ bucket, utid, switches });
  });
  const byThread = [...threads.values()].sort((a, b) => a.id - b.id);
  return {
    ...(await countCpus(tables, cut)),
    threads: byThread,
    linesOf(groups) {
      const lines = groups.map(() => new Float64Array(buckets));
      const lineOf = new Map(groups.flatMap(({ ids }, group) => ids.map((id) => [id, lines[group]])));
      for (const { bucket, utid, switches } of rows) {
        const line = lineOf.get(utid);
        if (line !== undefined) line[bucket] = (line[bucket] ?? 0) + switches;
      }
      return lines;
    },
  };
}

/** Of CPUs nothing is summed: each run is looked at. */
async function countCpus(
  tables: Tables,
  { edges, steps }: Cut,
): Promise<Pick<SwitchCounts, 'onCpus' | 'to_idle'>> {
  const buckets = edges.length - 1;
  const [start = 0] = edges;
  const end = edges.at(-1) ?? 0;
  // What is before the first whole step is one bucket, and so is what is after the last.
  const since = steps?.start ?? start;
  const first = edges.indexOf(since);
  const bucket_ns = (edges[first + 1] ?? end) - since;
  const onCpus = new Map<number, Float64Array>();
  const to_idle = new Float64Array(buckets);
  const names = ['ts', 'cpu', 'utid'] as const;
  // From 1 ns before on: a run of no length at the start is a context switch too.
  for await (const { rowCount, columns } of tables.batches('etw_run', names, { start: start - 1, end })) {
    const [begins, cpus, utids] = [columns.ts.values, columns.cpu.values, columns.utid.values];
    for (let row = 0; row < rowCount; row++) {
      const ts = begins[row] ?? 0;
      if (ts < start || ts >= end) continue;
      const bucket = ts < since ? 0 : Math.min(first + Math.floor((ts - since) / bucket_ns), buckets - 1);
      const cpu = cpus[row] ?? 0;
      const counts = onCpus.get(cpu) ?? new Float64Array(buckets);
      if (!onCpus.has(cpu)) onCpus.set(cpu, counts);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      if (utids[row] === 0) to_idle[bucket] = (to_idle[bucket] ?? 0) + 1;
    }
  }
  return { onCpus, to_idle };
}
