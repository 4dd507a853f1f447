import { numberAt, type Tables } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { CpuPart } from './cpu-strip.ts';

/** Steps of `etw_cpu_time`. */
export const SUMMED_STEPS = 512;

/** The process of each thread, by the keys of both; -1 where nothing tells it. */
async function processOfThreads(tables: Tables): Promise<Int32Array> {
  const upidOf: number[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'upid']))
    for (let row = 0; row < rowCount; row++)
      upidOf[columns.utid.values[row] ?? 0] = numberAt(columns.upid, row) ?? -1;
  return Int32Array.from(upidOf, (upid: number | undefined) => upid ?? -1);
}

/** CPU time of the whole recording by process in the steps that it is summed in, and how long a step is. */
export async function cpuOfSums(
  tables: Tables,
  start: number,
): Promise<{ readonly parts: CpuPart[]; readonly bucket_ns: number }> {
  const upidOf = await processOfThreads(tables);
  const ofProcess = new Map<number, Float64Array>();
  let bucket_ns = 1;
  for await (const { rowCount, columns } of tables.batches('etw_cpu_time', ['ts', 'dur', 'utid', 'ran_ns'])) {
    const [begins, utids, ran] = [columns.ts.values, columns.utid.values, columns.ran_ns.values];
    bucket_ns = columns.dur.values[0] ?? 1;
    for (let row = 0; row < rowCount; row++) {
      const utid = utids[row] ?? 0;
      if (utid === 0) continue;
      const sums = sumsOf(ofProcess, upidOf[utid] ?? -1, SUMMED_STEPS);
      const step = Math.round(((begins[row] ?? 0) - start) / bucket_ns);
      sums[step] = (sums[step] ?? 0) + (ran[row] ?? 0);
    }
  }
  return { parts: partsOf(ofProcess), bucket_ns };
}

/** CPU time by process in steps of so many ns from the start of a range on, of all runs. The idle thread's is left out. */
export async function cpuOfRuns(
  tables: Tables,
  range: TimeRange,
  steps: { readonly buckets: number; readonly bucket_ns: number },
): Promise<CpuPart[]> {
  const upidOf = await processOfThreads(tables);
  const { buckets, bucket_ns } = steps;
  const start = Math.floor(range.start);
  const end = Math.min(Math.ceil(range.end), start + buckets * bucket_ns);
  const ofProcess = new Map<number, Float64Array>();
  for await (const { rowCount, columns } of tables.batches('etw_run', ['ts', 'te', 'utid'], { start, end })) {
    const [begins, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    for (let row = 0; row < rowCount; row++) {
      const utid = utids[row] ?? 0;
      if (utid === 0) continue;
      const from = Math.max(begins[row] ?? 0, start);
      const to = Math.min(ends[row] ?? 0, end);
      if (from >= to) continue;
      const sums = sumsOf(ofProcess, upidOf[utid] ?? -1, buckets);
      const last = Math.floor((to - 1 - start) / bucket_ns);
      let at = from;
      for (let step = Math.floor((from - start) / bucket_ns); step <= last; step++) {
        const until = Math.min(to, start + (step + 1) * bucket_ns);
        sums[step] = (sums[step] ?? 0) + until - at;
        at = until;
      }
    }
  }
  return partsOf(ofProcess);
}

/** The steps of a process; all of them empty at first. */
function sumsOf(ofProcess: Map<number, Float64Array>, upid: number, buckets: number): Float64Array {
  const known = ofProcess.get(upid);
  if (known !== undefined) return known;
  const sums = new Float64Array(buckets);
  ofProcess.set(upid, sums);
  return sums;
}

function partsOf(ofProcess: ReadonlyMap<number, Float64Array>): CpuPart[] {
  return [...ofProcess].flatMap(([upid, sums]) =>
    [...sums].flatMap((ran_ns, number) =>
      ran_ns === 0 ? [] : [{ number, upid: upid === -1 ? null : upid, ran_ns }],
    ),
  );
}
