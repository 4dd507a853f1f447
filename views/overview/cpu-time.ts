import { visitRan, type Cut } from '../../shared/cpu-sum/visit-ran.ts';
import { numberAt, type Stretch, type Tables } from '../../shared/tables/index.ts';

/** In place of the key of a process that nothing tells. */
export const UNKNOWN_UPID = -1;
const IDLE_UTID = 0;

/** By key of a process, in each bucket of time the CPU time in ns. The idle thread's is left out. */
export type BusyOf = ReadonlyMap<number, Float64Array>;

/** CPU time of context switches. */
export async function cpuOfSwitches(tables: Tables, buckets: Cut): Promise<BusyOf> {
  const busy = new Busy(await processOfThreads(tables), buckets.edges);
  await visitRan(tables, buckets, (bucket, utid, _, __, ran_ns) => {
    if (ran_ns > 0) busy.add(bucket, utid, ran_ns);
  });
  return busy.ofProcess;
}

const SAMPLE_COLUMNS = ['ts', 'utid', 'weight_ns'] as const;

/** CPU time as samples of the profile stand for it, each for the interval between two: in buckets of one length, but for the last. */
export async function cpuOfSamples(tables: Tables, { edges }: Pick<Cut, 'edges'>): Promise<BusyOf> {
  const busy = new Busy(await processOfThreads(tables), edges);
  const [start = 0, second = 0] = edges;
  const range: Stretch = { start, end: edges.at(-1) ?? 0 };
  for await (const { rowCount, columns } of tables.batches('etw_sample', SAMPLE_COLUMNS, range)) {
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      const weight_ns = numberAt(columns.weight_ns, row);
      if (ts < start || ts >= range.end || weight_ns === null) continue;
      busy.add(Math.floor((ts - start) / (second - start)), columns.utid.values[row] ?? 0, weight_ns);
    }
  }
  return busy.ofProcess;
}

/** The process of each thread, by the keys of both. */
async function processOfThreads(tables: Tables): Promise<Int32Array> {
  const upidOf: number[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'upid']))
    for (let row = 0; row < rowCount; row++)
      upidOf[columns.utid.values[row] ?? 0] = numberAt(columns.upid, row) ?? UNKNOWN_UPID;
  return Int32Array.from(upidOf, (upid: number | undefined) => upid ?? UNKNOWN_UPID);
}

class Busy {
  readonly ofProcess = new Map<number, Float64Array>();
  readonly #upidOf: Int32Array;
  readonly #buckets: number;

  constructor(upidOf: Int32Array, edges: readonly number[]) {
    [this.#upidOf, this.#buckets] = [upidOf, edges.length - 1];
  }

  add(bucket: number, utid: number, ran_ns: number): void {
    if (utid === IDLE_UTID) return;
    const upid = utid < this.#upidOf.length ? (this.#upidOf[utid] ?? UNKNOWN_UPID) : UNKNOWN_UPID;
    let sums = this.ofProcess.get(upid);
    if (sums === undefined) {
      sums = new Float64Array(this.#buckets);
      this.ofProcess.set(upid, sums);
    }
    sums[bucket] = (sums[bucket] ?? 0) + ran_ns;
  }
}
