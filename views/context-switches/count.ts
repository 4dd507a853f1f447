import { visitRan, type Cut } from '../../shared/cpu-sum/visit-ran.ts';
import { grown, type Batch, type Stretch, type Tables } from '../../shared/tables/index.ts';
import type { CountedGroup } from './sum-groups.ts';

/** Context switches to a thread, and its CPU time. */
interface ThreadCount {
  /** The utid. */
  readonly id: number;
  readonly switches: number;
  readonly ran_ns: number;
}

const IDLE_UTID = 0;

/** The context switches of a range in buckets of time. */
export class SwitchCounts {
  /** All, bucket by bucket, those to the idle thread included. */
  readonly all: Float64Array;
  /** Those to the idle thread, bucket by bucket. */
  readonly to_idle: Float64Array;
  /** By utid. */
  #switches = new Float64Array(1 << 10);
  #ran_ns = new Float64Array(1 << 10);
  /** Switches to one thread in one bucket, as often as they come. */
  #rows = 0;
  #bucket = new Uint16Array(1 << 12);
  #utid = new Int32Array(1 << 12);
  #count = new Uint32Array(1 << 12);

  private constructor(buckets: number) {
    this.all = new Float64Array(buckets);
    this.to_idle = new Float64Array(buckets);
  }

  /** Counts those of a range. */
  static async of(tables: Tables, cut: Cut): Promise<SwitchCounts> {
    const counts = new SwitchCounts(cut.edges.length - 1);
    await visitRan(tables, cut, (bucket, utid, _priority, _rank, ran_ns, switches) => {
      counts.#add(bucket, utid, ran_ns, switches);
    });
    return counts;
  }

  /** Those to each thread but the idle one, by utid. */
  threads(): readonly ThreadCount[] {
    const threads: ThreadCount[] = [];
    for (let id = 0; id < this.#switches.length; id++) {
      const [switches = 0, ran_ns = 0] = [this.#switches[id], this.#ran_ns[id]];
      if (switches + ran_ns > 0) threads.push({ id, switches, ran_ns });
    }
    return threads;
  }

  /** Those to groups of threads, bucket by bucket. */
  linesOf(groups: readonly CountedGroup[]): readonly Float64Array[] {
    const none = groups.length;
    const groupOf = new Uint8Array(this.#switches.length).fill(none);
    groups.forEach(({ ids }, group) => {
      for (const id of ids) groupOf[id] = group;
    });
    const lines = Array.from({ length: none + 1 }, () => new Float64Array(this.all.length));
    for (let row = 0; row < this.#rows; row++) {
      const line = lines[groupOf[this.#utid[row] ?? 0] ?? none];
      const bucket = this.#bucket[row] ?? 0;
      if (line !== undefined) line[bucket] = (line[bucket] ?? 0) + (this.#count[row] ?? 0);
    }
    return lines.slice(0, none);
  }

  #add(bucket: number, utid: number, ran_ns: number, switches: number): void {
    this.all[bucket] = (this.all[bucket] ?? 0) + switches;
    if (utid === IDLE_UTID) {
      this.to_idle[bucket] = (this.to_idle[bucket] ?? 0) + switches;
      return;
    }
    if (utid >= this.#switches.length) {
      this.#switches = grown(this.#switches, new Float64Array(2 * utid));
      this.#ran_ns = grown(this.#ran_ns, new Float64Array(2 * utid));
    }
    this.#switches[utid] = (this.#switches[utid] ?? 0) + switches;
    this.#ran_ns[utid] = (this.#ran_ns[utid] ?? 0) + ran_ns;
    if (switches === 0) return;
    const row = this.#rows++;
    if (row === this.#count.length) this.#makeRoom(2 * row);
    this.#bucket[row] = bucket;
    this.#utid[row] = utid;
    this.#count[row] = switches;
  }

  #makeRoom(rows: number): void {
    this.#bucket = grown(this.#bucket, new Uint16Array(rows));
    this.#utid = grown(this.#utid, new Int32Array(rows));
    this.#count = grown(this.#count, new Uint32Array(rows));
  }
}

/** Context switches on each CPU, bucket by bucket, those to the idle thread included. */
export type CpuCounts = ReadonlyMap<number, Float64Array>;

/** Counts the context switches of a range by CPU. Of CPUs nothing is summed: each run is looked at. */
export async function countOnCpus(tables: Tables, cut: Cut): Promise<CpuCounts> {
  const counts = new OnCpus(cut);
  const how = (await tables.rowCount('etw_run', counts.range)) > RUNS_KEPT ? 'once' : undefined;
  for await (const batch of tables.batches('etw_run', CPU_COLUMNS, counts.range, how)) counts.add(batch);
  return counts.byCpu();
}

const CPU_COLUMNS = ['ts', 'cpu'] as const;
/** Of so many CPUs runs are counted fast; of the others, too. */
const CPUS = 1024;
/** Of so many runs what is read is kept: that of more takes longer to keep than to read again. */
const RUNS_KEPT = 1 << 24;

class OnCpus {
  readonly #start: number;
  readonly #end: number;
  readonly #buckets: number;
  /** Buckets are of one length from a time on. What is before that is one bucket, and the last one has what is left. */
  readonly #since: number;
  readonly #first: number;
  readonly #bucket_ns: number;
  /** By CPU and bucket. */
  #counts = new Uint32Array(0);
  /** By CPU: what is counted in the last bucket, before it is added to the others. */
  readonly #inLast = new Uint32Array(CPUS);
  #last = 0;

  constructor({ edges, steps }: Cut) {
    this.#buckets = edges.length - 1;
    this.#start = edges[0] ?? 0;
    this.#end = edges[this.#buckets] ?? 0;
    this.#since = steps?.start ?? this.#start;
    this.#first = edges.indexOf(this.#since);
    this.#bucket_ns = (edges[this.#first + 1] ?? this.#end) - this.#since;
  }

  /** What is read: from 1 ns before on, since a run of no length at the start is a context switch too. */
  get range(): Stretch {
    return { start: this.#start - 1, end: this.#end };
  }

  add({ rowCount, columns }: Batch<(typeof CPU_COLUMNS)[number]>): void {
    const [begins, cpus] = [columns.ts.values, columns.cpu.values];
    const [start, end] = [this.#start, this.#end];
    // Most runs begin in the bucket of the one before: a comparison takes a fraction of a division.
    const inLast = this.#inLast;
    const cpu_count = inLast.length;
    let [from, until] = [NaN, -Infinity];
    for (let row = 0; row < rowCount; row++) {
      const ts = begins[row] ?? 0;
      const cpu = cpus[row] ?? 0;
      if (ts >= from && ts < until && cpu < cpu_count) inLast[cpu] = (inLast[cpu] ?? 0) + 1;
      else if (ts >= start && ts < end) {
        const bucket = this.#bucketOf(ts);
        this.#count(cpu, bucket, 1);
        // Long runs began long before: the next run is with the others again.
        if (!(ts >= until)) continue;
        this.#endLast(bucket);
        [from, until] = [this.#beginOf(bucket), this.#beginOf(bucket + 1)];
      }
    }
    this.#endLast(this.#last);
  }

  #bucketOf(ts: number): number {
    if (ts < this.#since) return 0;
    return Math.min(this.#first + Math.floor((ts - this.#since) / this.#bucket_ns), this.#buckets - 1);
  }

  #beginOf(bucket: number): number {
    if (bucket < this.#first) return this.#start;
    return bucket >= this.#buckets ? this.#end : this.#since + (bucket - this.#first) * this.#bucket_ns;
  }

  /** Ends the bucket that is counted apart, and begins another one. */
  #endLast(next: number): void {
    this.#inLast.forEach((count, cpu) => {
      if (count > 0) this.#count(cpu, this.#last, count);
    });
    this.#inLast.fill(0);
    this.#last = next;
  }

  #count(cpu: number, bucket: number, count: number): void {
    const at = cpu * this.#buckets + bucket;
    if (at >= this.#counts.length)
      this.#counts = grown(this.#counts, new Uint32Array(2 * (at + this.#buckets)));
    this.#counts[at] = (this.#counts[at] ?? 0) + count;
  }

  byCpu(): CpuCounts {
    const onCpus = new Map<number, Float64Array>();
    for (let cpu = 0; cpu * this.#buckets < this.#counts.length; cpu++) {
      const counts = this.#counts.subarray(cpu * this.#buckets, (cpu + 1) * this.#buckets);
      if (counts.some((count) => count > 0)) onCpus.set(cpu, Float64Array.from(counts));
    }
    return onCpus;
  }
}
