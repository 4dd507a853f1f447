import {
  filled,
  grown,
  type KeySet,
  PairNumbers,
  type Batch,
  type Bounds,
  type Stretch,
  type Tables,
} from '../../shared/tables/index.ts';

/** Which parts of a range are looked at: the first `window_ns` of each bucket. */
export interface Windows extends Bounds {
  readonly bucket_ns: number;
  readonly window_ns: number;
}

/** How often two threads followed one another on a CPU, and woke one another; `a` has the lower utid. */
export interface PairCounts {
  readonly a: number;
  readonly b: number;
  readonly switches_there: number;
  readonly switches_back: number;
  readonly wakes_there: number;
  readonly wakes_back: number;
}

/** Pairs of threads that were counted. */
export interface CountedPairs {
  /** Those with most wakes or switches, most first. */
  readonly pairs: readonly PairCounts[];
  /** How many there are in all. */
  readonly count: number;
}

/** Counts the pairs of a range with one of the wanted threads, null for all threads; and gives so many of them at most. */
export async function countPairs(
  tables: Tables,
  windows: Windows,
  wanted: KeySet | null,
  most: number,
): Promise<CountedPairs> {
  const sums = new PairSums(windows, wanted);
  const stretches = stretchesOf(windows);
  for await (const batch of tables.batches('etw_run', RUN_COLUMNS, stretches)) sums.addTurns(batch);
  for await (const batch of tables.batches('etw_ready_wait', WAIT_COLUMNS, stretches)) sums.addWakes(batch);
  return { pairs: sums.greatest(most), count: sums.count };
}

/** The windows, from 1 ns before on: what ran last before a window gives way in it. */
function stretchesOf({ range_start, range_end, bucket_ns, window_ns }: Windows): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (let start = range_start; start < range_end; start += bucket_ns)
    stretches.push({ start: start - 1, end: Math.min(start + window_ns, range_end) });
  return stretches;
}

const RUN_COLUMNS = ['ts', 'te', 'cpu', 'utid'] as const;
const WAIT_COLUMNS = ['ts', 'utid', 'waker_utid'] as const;

/** Not counted. */
const NONE = -1;

/** Pairs of threads, with what is counted of each. */
class PairSums {
  readonly #windows: Windows;
  readonly #wanted: KeySet | null;
  readonly #pairs = new PairNumbers();
  /** By twice the number of a pair, and one more where the thread with the greater utid came first. */
  #switches = new Uint32Array(1 << 9);
  #wakes = new Uint32Array(1 << 9);
  /** By CPU: the end of the last run, and its thread. */
  #last_te = new Float64Array(1 << 8).fill(NaN);
  #last_utid = new Int32Array(1 << 8);

  constructor(windows: Windows, wanted: KeySet | null) {
    [this.#windows, this.#wanted] = [windows, wanted];
  }

  /** How many pairs there are. */
  get count(): number {
    return this.#pairs.count;
  }

  /** Adds each switch from a thread to another with no time between them on the CPU. The runs of a CPU come in its order. */
  addTurns({ rowCount, columns }: Batch<(typeof RUN_COLUMNS)[number]>): void {
    const [starts, ends] = [columns.ts.values, columns.te.values];
    const [cpus, utids] = [columns.cpu.values, columns.utid.values];
    for (let row = 0; row < rowCount; row++) {
      const ts = starts[row] ?? 0;
      const cpu = cpus[row] ?? 0;
      const utid = utids[row] ?? 0;
      if (cpu >= this.#last_te.length) this.#makeRoomForCpus(2 * cpu);
      const before = this.#last_utid[cpu] ?? 0;
      if (this.#last_te[cpu] === ts && utid !== 0 && before !== 0) {
        const at = this.#placeOf(ts, before, utid);
        if (at !== NONE) this.#switches[at] = (this.#switches[at] ?? 0) + 1;
      }
      this.#last_te[cpu] = ends[row] ?? 0;
      this.#last_utid[cpu] = utid;
    }
  }

  /** Adds who made whom ready. */
  addWakes({ rowCount, columns }: Batch<(typeof WAIT_COLUMNS)[number]>): void {
    const [starts, utids] = [columns.ts.values, columns.utid.values];
    const { present, values: wakers } = columns.waker_utid;
    for (let row = 0; row < rowCount; row++) {
      if (present !== null && present[row] === 0) continue;
      const at = this.#placeOf(starts[row] ?? 0, wakers[row] ?? 0, utids[row] ?? 0);
      if (at !== NONE) this.#wakes[at] = (this.#wakes[at] ?? 0) + 1;
    }
  }

  /** Those with most wakes or switches, most first. */
  greatest(most: number): readonly PairCounts[] {
    const mosts = filled(new Uint32Array(this.count), (pair) => this.#mostOf(pair));
    // A million pairs are not put in order for the first of them.
    const least = mosts.slice().sort()[Math.max(0, mosts.length - most)] ?? 0;
    const pairs: number[] = [];
    for (let pair = 0; pair < mosts.length; pair++) if ((mosts[pair] ?? 0) >= least) pairs.push(pair);
    const numbers = this.#pairs;
    return pairs
      .sort(
        (p, q) =>
          (mosts[q] ?? 0) - (mosts[p] ?? 0) ||
          numbers.first(p) - numbers.first(q) ||
          numbers.second(p) - numbers.second(q),
      )
      .slice(0, most)
      .map((pair) => this.#countsOf(pair));
  }

  /** Where something that one thread did at a time is counted for it and another one; −1 where it is not. */
  #placeOf(ts: number, from: number, to: number): number {
    const { range_start, range_end, bucket_ns, window_ns } = this.#windows;
    if (ts < range_start || ts >= range_end) return NONE;
    // The remainder of a division takes several times as long.
    const since = ts - range_start;
    if (since - Math.floor(since / bucket_ns) * bucket_ns >= window_ns) return NONE;
    const wanted = this.#wanted;
    if (from === to || (wanted !== null && !wanted.has(from) && !wanted.has(to))) return NONE;
    const pair = from < to ? this.#pairs.of(from, to) : this.#pairs.of(to, from);
    if (2 * pair >= this.#switches.length) {
      this.#switches = grown(this.#switches, new Uint32Array(4 * pair));
      this.#wakes = grown(this.#wakes, new Uint32Array(4 * pair));
    }
    return from < to ? 2 * pair : 2 * pair + 1;
  }

  #mostOf(pair: number): number {
    const [there, back] = [2 * pair, 2 * pair + 1];
    return Math.max(
      (this.#wakes[there] ?? 0) + (this.#wakes[back] ?? 0),
      (this.#switches[there] ?? 0) + (this.#switches[back] ?? 0),
    );
  }

  #countsOf(pair: number): PairCounts {
    return {
      a: this.#pairs.first(pair),
      b: this.#pairs.second(pair),
      switches_there: this.#switches[2 * pair] ?? 0,
      switches_back: this.#switches[2 * pair + 1] ?? 0,
      wakes_there: this.#wakes[2 * pair] ?? 0,
      wakes_back: this.#wakes[2 * pair + 1] ?? 0,
    };
  }

  #makeRoomForCpus(cpus: number): void {
    this.#last_te = grown(this.#last_te, new Float64Array(cpus).fill(NaN));
    this.#last_utid = grown(this.#last_utid, new Int32Array(cpus));
  }
}
