import type { Query } from '../../engine/index.ts';
import { dataOf, grown, numberAt, PairNumbers } from '../../tables/index.ts';
import { loadJudgedRanks } from '../../why-late/columns/index.ts';
import type { Measure } from './index.ts';

const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'rank', 'priority'] as const;
const RUN_COLUMNS = ['ts', 'te', 'cpu', 'utid', 'rank', 'priority'] as const;
/** In place of a wait. */
const NONE = -1;

/** What one thread lost to another one that took its CPU. */
interface Taken {
  readonly utid: number;
  readonly by_utid: number;
  ready_ns: number;
  times: number;
  longest_ns: number;
  longest_ts: number;
  /** Of the longest wait. */
  rank: number;
  priority: number;
  by_rank: number;
  by_priority: number;
}

/** Pairs of threads of which one took the CPU of the other, which was ready then until it ran again. */
export const preempted: Measure = {
  columns: [
    ...['utid', 'by_utid', 'ts', 'dur', 'ready_ns', 'times'],
    ...['rank', 'priority', 'by_rank', 'by_priority'],
  ],
  async rows({ query }) {
    const judged = await loadJudgedRanks(query);
    const waits = await preemptedWaits(query);
    const numbers = new PairNumbers();
    const pairs: Taken[] = [];
    /** By CPU: the wait that began as its last run ended; `NONE` where there is none. */
    const begunOn: number[] = [];
    for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_run', RUN_COLUMNS)) {
      for (let row = 0; row < rowCount; row++) {
        const [ts, te] = [columns.ts.values[row] ?? 0, columns.te.values[row] ?? 0];
        const [cpu, utid] = [columns.cpu.values[row] ?? 0, columns.utid.values[row] ?? 0];
        const begun = begunOn[cpu] ?? NONE;
        begunOn[cpu] = waits.beginning(utid, te);
        // The runs of a CPU are in the order of time: who took it from the thread comes next.
        if (begun === NONE || waits.ts[begun] !== ts || utid === 0 || waits.utid[begun] === utid) continue;
        const lost = waits.utid[begun] ?? 0;
        const pair = (pairs[numbers.of(lost, utid)] ??= none(lost, utid));
        const ns = (waits.te[begun] ?? 0) - ts;
        pair.ready_ns += ns;
        pair.times++;
        if (ns < pair.longest_ns || (ns === pair.longest_ns && ts > pair.longest_ts)) continue;
        pair.longest_ns = ns;
        pair.longest_ts = ts;
        pair.rank = judged.of(lost, waits.ts[begun] ?? 0)?.rank ?? waits.rank[begun] ?? NaN;
        pair.priority = waits.priority[begun] ?? NaN;
        pair.by_rank = numberAt(columns.rank, row) ?? NaN;
        pair.by_priority = numberAt(columns.priority, row) ?? NaN;
      }
    }
    return pairs
      .sort((a, b) => b.ready_ns - a.ready_ns)
      .map((pair) => [
        ...[pair.utid, pair.by_utid, pair.longest_ts, pair.longest_ns, pair.ready_ns, pair.times],
        ...[pair.rank, pair.priority, pair.by_rank, pair.by_priority],
      ]);
  },
};

function none(utid: number, by_utid: number): Taken {
  const counted = { ready_ns: 0, times: 0, longest_ns: -1, longest_ts: 0 };
  return { utid, by_utid, ...counted, rank: NaN, priority: NaN, by_rank: NaN, by_priority: NaN };
}

/** The waits of threads that were put aside, in columns, by their numbers. */
class PreemptedWaits {
  ts = new Float64Array(1 << 10);
  te = new Float64Array(1 << 10);
  utid = new Uint32Array(1 << 10);
  /** NaN: not recorded. */
  rank = new Float64Array(1 << 10);
  priority = new Float64Array(1 << 10);
  #count = 0;
  /** The next wait of the same thread. */
  #next = new Int32Array(1 << 10);
  /** By thread: its first wait that is not past, and its last one. */
  #first = new Int32Array(1 << 10).fill(NONE);
  #last = new Int32Array(1 << 10).fill(NONE);

  /** Adds a wait; those of a thread come in the order of time. */
  add(ts: number, te: number, utid: number, rank: number, priority: number): void {
    const wait = this.#count++;
    if (wait === this.ts.length) this.#grow(2 * wait);
    if (utid >= this.#first.length) this.#growThreads(2 * utid);
    this.ts[wait] = ts;
    this.te[wait] = te;
    this.utid[wait] = utid;
    this.rank[wait] = rank;
    this.priority[wait] = priority;
    this.#next[wait] = NONE;
    const before = this.#last[utid] ?? NONE;
    if (before === NONE) this.#first[utid] = wait;
    else this.#next[before] = wait;
    this.#last[utid] = wait;
  }

  /** The wait of a thread that began at a time, or `NONE`. Asked of each thread in the order of time. */
  beginning(utid: number, at: number): number {
    let wait = this.#first[utid] ?? NONE;
    while (wait !== NONE && (this.ts[wait] ?? 0) < at) wait = this.#next[wait] ?? NONE;
    if (utid < this.#first.length) this.#first[utid] = wait;
    return wait !== NONE && this.ts[wait] === at ? wait : NONE;
  }

  #grow(length: number): void {
    this.ts = grown(this.ts, new Float64Array(length));
    this.te = grown(this.te, new Float64Array(length));
    this.utid = grown(this.utid, new Uint32Array(length));
    this.rank = grown(this.rank, new Float64Array(length));
    this.priority = grown(this.priority, new Float64Array(length));
    this.#next = grown(this.#next, new Int32Array(length));
  }

  #growThreads(length: number): void {
    this.#first = grown(this.#first, new Int32Array(length).fill(NONE));
    this.#last = grown(this.#last, new Int32Array(length).fill(NONE));
  }
}

async function preemptedWaits(query: Query): Promise<PreemptedWaits> {
  const waits = new PreemptedWaits();
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_ready_wait', WAIT_COLUMNS)) {
    const { ts, te, utid, cause, rank, priority } = columns;
    const isPreempted = cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      if (cause.values[row] !== isPreempted) continue;
      const [of, to] = [numberAt(rank, row) ?? NaN, numberAt(priority, row) ?? NaN];
      waits.add(ts.values[row] ?? 0, te.values[row] ?? 0, utid.values[row] ?? 0, of, to);
    }
  }
  return waits;
}
