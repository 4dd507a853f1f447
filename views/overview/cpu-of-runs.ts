import type { Query } from '../../shared/engine/index.ts';
import type { Tables } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { CpuPart } from './cpu-strip.ts';
import threadsSql from './threads.sql';

/** The process of each thread, by the keys of both; -1 where nothing tells it. */
async function processOfThreads(outline: Query): Promise<Int32Array> {
  const rows = await outline(threadsSql);
  const [utids, upids] = [rows.numbers('utid'), rows.numbers('upid')];
  const upidOf = new Int32Array(utids.reduce((most, utid) => Math.max(most, utid), 0) + 1).fill(-1);
  utids.forEach((utid, row) => (upidOf[utid] = upids[row] ?? -1));
  return upidOf;
}

/** CPU time by process in steps of so many ns from the start of a range on, of all runs. The idle thread's is left out. */
export async function cpuOfRuns(
  outline: Query,
  tables: Tables,
  range: TimeRange,
  steps: { readonly buckets: number; readonly bucket_ns: number },
): Promise<CpuPart[]> {
  const upidOf = await processOfThreads(outline);
  const { buckets, bucket_ns } = steps;
  const start = Math.floor(range.start);
  const end = Math.min(Math.ceil(range.end), start + buckets * bucket_ns);
  const ofProcess = new Map<number, Float64Array>();
  const sumsOf = (upid: number) => {
    const sums = ofProcess.get(upid) ?? new Float64Array(buckets);
    ofProcess.set(upid, sums);
    return sums;
  };
  for await (const { rowCount, columns } of tables.batches('etw_run', ['ts', 'te', 'utid'], { start, end })) {
    const [begins, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    for (let row = 0; row < rowCount; row++) {
      const utid = utids[row] ?? 0;
      if (utid === 0) continue;
      const from = Math.max(begins[row] ?? 0, start);
      const to = Math.min(ends[row] ?? 0, end);
      if (from >= to) continue;
      const sums = sumsOf(upidOf[utid] ?? -1);
      const last = Math.floor((to - 1 - start) / bucket_ns);
      let at = from;
      for (let step = Math.floor((from - start) / bucket_ns); step <= last; step++) {
        const until = Math.min(to, start + (step + 1) * bucket_ns);
        sums[step] = (sums[step] ?? 0) + until - at;
        at = until;
      }
    }
  }
  return [...ofProcess].flatMap(([upid, sums]) =>
    [...sums].flatMap((ran_ns, number) =>
      ran_ns === 0 ? [] : [{ number, upid: upid === -1 ? null : upid, ran_ns }],
    ),
  );
}
